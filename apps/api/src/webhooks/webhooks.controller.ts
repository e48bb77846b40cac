import { Links } from '#libs/payloads';
import { WebhooksService } from '#libs/webhooks';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { RevealsRecords, Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { ChangeWebhookDto, CreateWebhookDto, WebhooksQueryDto } from './webhook.dto.js';

@Controller('v1/webhooks')
@Scopes('webhooks', 'admin')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List webhooks, newest first', { list: ['webhooks', 'Webhook'] })
  list(@Caller() caller: Caller, @Query() query: WebhooksQueryDto) {
    return this.webhooks.list(caller, query.toQuery());
  }

  @Post()
  @RevealsRecords()
  @ApiOperation('Register a webhook, or several at once', {
    created: ['webhook', 'NewWebhook'],
    createdAll: ['webhooks', 'NewWebhook'],
    conflicts: ['too_many_webhooks'],
  })
  async create(
    @Caller() caller: Caller,
    @Body() dto: CreateWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { isOne, ...wanted } = dto.toInput();
    const created = await this.webhooks.createEach(caller, wanted);
    if (isOne) return created[0]!;
    void reply.header('location', this.links.webhooks());
    return created;
  }

  @Get(':id')
  @ApiOperation('Read a webhook', { record: ['webhook', 'Webhook'] })
  read(@Caller() caller: Caller, @Param('id') id: string) {
    return this.webhooks.read(caller, id);
  }

  @Patch(':id')
  @RevealsRecords()
  @ApiOperation('Change a webhook’s address, pause it, or turn it on again', {
    record: ['webhook', 'Webhook'],
    conflicts: ['access_revoked', 'disabled_by_operator'],
  })
  change(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ChangeWebhookDto) {
    return this.webhooks.change(caller, id, dto.toInput());
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation('Delete a webhook, and cancel what is owed to it')
  remove(@Caller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.webhooks.remove(caller, id);
  }
}
