import { WebhookSecretsService } from '#libs/webhooks';
import { Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';

@Controller('v1/webhooks/:id/secret')
@Scopes('webhooks', 'admin')
export class WebhookSecretsController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation('Read the secrets that sign, newest first; who looked is noted', {
    records: ['secrets', 'WebhookSecret'],
  })
  read(@Caller() caller: Caller, @Param('id') id: string) {
    return this.secrets.read(caller, id);
  }

  @Post('rotate')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation('Make a new secret; the one before signs beside it for 24 hours', {
    records: ['secrets', 'WebhookSecret'],
  })
  rotate(@Caller() caller: Caller, @Param('id') id: string) {
    return this.secrets.rotate(caller, id);
  }
}
