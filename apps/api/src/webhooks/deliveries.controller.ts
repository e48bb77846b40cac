import { DeliveriesService, ReplayStartsService, ReplaysService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { Caller } from '../edge/caller.js';
import { PageQueryDto } from '../edge/page-query.dto.js';
import { RevealsRecords, Scopes } from '../oauth/required-scopes.js';
import { DeliveriesQueryDto, ReplayDto } from './webhooks.dto.js';

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
  @ApiOperation('Redeliver immediately', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_deleted', 'webhook_disabled', 'event_purged'],
  })
  redeliver(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.redeliver(caller, id);
  }
}

@Controller('v1/webhooks/:id')
@Scopes('webhooks', 'admin')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly replays: ReplaysService,
    private readonly starts: ReplayStartsService,
  ) {}

  @Get('deliveries')
  @ApiOperation('List a webhook’s deliveries, newest first', { list: ['deliveries', 'Delivery'] })
  list(@Caller() caller: Caller, @Param('id') id: string, @Query() query: DeliveriesQueryDto) {
    return this.deliveries.list(caller, id, query.toQuery());
  }

  @Post('test')
  @ApiOperation('Send a test event to a webhook', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_disabled'],
  })
  test(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.sendTest(caller, id);
  }

  @Post('replay')
  @RevealsRecords()
  @ApiOperation('Replay deliveries of a webhook in the background', {
    accepted: ['replay', 'Replay'],
    conflicts: ['webhook_disabled', 'replay_running'],
  })
  replay(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ReplayDto) {
    return this.starts.start(caller, id, dto.toInput());
  }

  @Get('replay')
  @ApiOperation('Preview a replay without sending anything', { record: ['preview', 'ReplayPreview'] })
  previewReplay(@Caller() caller: Caller, @Param('id') id: string, @Query() query: ReplayDto) {
    return this.starts.preview(caller, id, query.toInput());
  }

  @Get('replays')
  @ApiOperation('List a webhook’s replays, newest first', { list: ['replays', 'Replay'] })
  listReplays(@Caller() caller: Caller, @Param('id') id: string, @Query() query: PageQueryDto) {
    return this.replays.list(caller, id, query.toQuery());
  }
}
