import { Links, webhookPayload } from '#libs/payloads';
import { WebhooksService } from '#libs/webhooks';
import { Body, Controller, Delete, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
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
  async create(
    @Caller() caller: Caller,
    @Body() dto: CreateWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { webhook, secret } = await this.webhooks.create(caller, { event: dto.event, url: dto.url });
    void reply.header('location', this.links.webhook(webhook.id));
    return { webhook: { ...webhookPayload(webhook, this.links), secret } };
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Caller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.webhooks.remove(caller, id);
  }
}
