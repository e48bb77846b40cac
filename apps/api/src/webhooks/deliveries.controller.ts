import { DeliveriesService } from '#libs/webhooks';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { RevealsRecords, Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';

@Controller('v1/deliveries')
@Scopes('webhooks', 'admin')
@RevealsRecords()
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get(':id')
  @ApiOperation('Read a delivery with its attempts', { record: ['delivery', 'DeliveryStory'] })
  read(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.read(caller, id);
  }

  @Post(':id/redeliver')
  @ApiOperation('Send a delivery again, now', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_deleted', 'webhook_disabled', 'event_purged'],
  })
  redeliver(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.redeliver(caller, id);
  }
}
