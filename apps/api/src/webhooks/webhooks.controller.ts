import { Links, webhookPayload } from '#libs/payloads';
import { WebhooksService } from '#libs/webhooks';
import { Body, Controller, Delete, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Describe } from '../docs/describe.js';
import { Created } from '../http/answers.js';
import { BearerGuard, Scopes } from '../oauth/bearer.guard.js';
import { Caller } from '../oauth/caller.js';
import { CreateWebhookDto } from './dto/create-webhook.dto.js';

@Controller('v1/webhooks')
@UseGuards(BearerGuard)
@Scopes('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly links: Links,
  ) {}

  @Post()
  @Describe('Register a webhook', { created: ['webhook', 'NewWebhook'] })
  async create(@Caller() caller: Caller, @Body() dto: CreateWebhookDto) {
    const { webhook, secret } = await this.webhooks.create(caller, { event: dto.event, url: dto.url });
    return new Created(this.links.webhook(webhook.id), { webhook: { ...webhookPayload(webhook, this.links), secret } });
  }

  @Delete(':id')
  @HttpCode(204)
  @Describe('Delete a webhook and what is still owed to it')
  async remove(@Caller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.webhooks.remove(caller, id);
  }
}
