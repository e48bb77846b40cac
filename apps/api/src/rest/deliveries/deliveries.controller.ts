import { Links, deliveryPayload, deliveryStoryPayload } from '#libs/payloads';
import { DeliveriesService } from '#libs/webhooks';
import { Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { Describe } from '../../docs/describe.js';
import { Accepted } from '../../http/answers.js';
import { BearerGuard, Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';

@Controller('v1/deliveries')
@UseGuards(BearerGuard)
@Scopes('webhooks', 'admin')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly links: Links,
  ) {}

  @Get(':id')
  @Describe('Read a delivery with its attempts', { one: ['delivery', 'DeliveryStory'] })
  async read(@Caller() caller: Caller, @Param('id') id: string) {
    return { delivery: deliveryStoryPayload(await this.deliveries.read(caller, id), this.links) };
  }

  @Post(':id/redeliver')
  @Describe('Send a delivery again, now', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_deleted', 'webhook_disabled', 'event_purged'],
  })
  async redeliver(@Caller() caller: Caller, @Param('id') id: string) {
    const delivery = await this.deliveries.redeliver(caller, id);
    return new Accepted(this.links.delivery(id), { delivery: deliveryPayload(delivery, this.links) });
  }
}
