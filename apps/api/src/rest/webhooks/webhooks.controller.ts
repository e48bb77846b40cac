import type { Webhook } from '#libs/entities';
import { Links, webhookPayload } from '#libs/payloads';
import { WebhooksService } from '#libs/webhooks';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { ChangeWebhookDto, CreateWebhookDto, WebhooksQueryDto } from './dto/webhook.dto.js';

@Controller('v1/webhooks')
@Scopes('webhooks', 'admin')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List webhooks, newest first', { list: ['webhooks', 'Webhook'] })
  async list(@Caller() caller: Caller, @Query() query: WebhooksQueryDto) {
    return new ListResponse('webhooks', await this.webhooks.list(caller, query.toQuery()), this.payload);
  }

  @Post()
  @ApiOperation('Register a webhook', { created: ['webhook', 'NewWebhook'], conflicts: ['too_many_webhooks'] })
  async create(@Caller() caller: Caller, @Body() dto: CreateWebhookDto) {
    const { webhook, secret } = await this.webhooks.create(caller, { event: dto.event, url: dto.url });
    return new CreatedResponse(this.links.record('webhooks', webhook.id), {
      webhook: { ...this.payload(webhook), secret },
    });
  }

  @Get(':id')
  @ApiOperation('Read a webhook', { record: ['webhook', 'Webhook'] })
  async read(@Caller() caller: Caller, @Param('id') id: string) {
    return this.present(await this.webhooks.read(caller, id));
  }

  @Patch(':id')
  @ApiOperation('Change a webhook’s address, pause it, or turn it on again', {
    record: ['webhook', 'Webhook'],
    conflicts: ['access_revoked', 'disabled_by_operator'],
  })
  async change(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ChangeWebhookDto) {
    return this.present(await this.webhooks.change(caller, id, dto.toInput()));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation('Delete a webhook, and cancel what is owed to it')
  remove(@Caller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.webhooks.remove(caller, id);
  }

  private readonly payload = (webhook: Webhook) => webhookPayload(webhook, this.links);
  private readonly present = (webhook: Webhook) => ({ webhook: this.payload(webhook) });
}
