import { type JsonSchema, ref, webhookSecretPayload } from '#libs/payloads';
import { WebhookSecretsService } from '#libs/webhooks';
import { Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';

const SECRETS: JsonSchema = {
  type: 'object',
  properties: { secrets: { type: 'array', items: ref('WebhookSecret') } },
  required: ['secrets'],
};

@Controller('v1/webhooks/:id/secret')
@Scopes('webhooks', 'admin')
export class WebhookSecretsController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation('Read the secrets that sign, newest first; who looked is noted', { responseSchema: SECRETS })
  async read(@Caller() caller: Caller, @Param('id') id: string) {
    return { secrets: (await this.secrets.read(caller, id)).map(webhookSecretPayload) };
  }

  @Post('rotate')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation('Make a new secret; the one before signs beside it for 24 hours', { responseSchema: SECRETS })
  async rotate(@Caller() caller: Caller, @Param('id') id: string) {
    return { secrets: (await this.secrets.rotate(caller, id)).map(webhookSecretPayload) };
  }
}
