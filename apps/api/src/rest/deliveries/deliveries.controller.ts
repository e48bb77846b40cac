import { Links, deliveryPayload, deliveryDetailsPayload } from '#libs/payloads';
import { DeliveriesService } from '#libs/webhooks';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { AcceptedResponse } from '../../http/responses.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';

@Controller('v1/deliveries')
@Scopes('webhooks', 'admin')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly links: Links,
  ) {}

  @Get(':id')
  @ApiOperation('Read a delivery with its attempts', { record: ['delivery', 'DeliveryStory'] })
  async read(@Caller() caller: Caller, @Param('id') id: string) {
    return { delivery: deliveryDetailsPayload(await this.deliveries.read(caller, id), this.links) };
  }

  @Post(':id/redeliver')
  @ApiOperation('Send a delivery again, now', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_deleted', 'webhook_disabled', 'event_purged'],
  })
  async redeliver(@Caller() caller: Caller, @Param('id') id: string) {
    const delivery = await this.deliveries.redeliver(caller, id);
    return new AcceptedResponse(this.links.record('deliveries', id), {
      delivery: deliveryPayload(delivery, this.links),
    });
  }
}
