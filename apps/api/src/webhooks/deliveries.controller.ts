import { READING_SCOPES } from '#libs/entities';
import { DeliveriesService, ReplayStartsService } from '#libs/webhooks';
import { Links } from '#libs/payloads';
import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller } from '../layers/edge/caller.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';
import { RevealsRecords, Scopes } from '../layers/oauth/required-scopes.js';
import {
  DEFAULT_HOURS,
  DeliveriesQueryDto,
  DeliverySearchDto,
  ReplayDto,
  ReplaysDto,
  StatisticsQueryDto,
} from './deliveries.dto.js';

@Controller('v1/deliveries')
@Scopes('webhooks')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @ApiOperation('List the deliveries of all webhooks, newest first', { list: ['deliveries', 'Delivery'] })
  listDeliveries(@Caller() caller: Caller, @Query() query: DeliverySearchDto) {
    return this.deliveries.search(caller, query.toQuery());
  }

  @Get(':id')
  @RevealsRecords()
  @ApiOperation('Read a delivery with its attempts', { record: ['delivery', 'DeliveryStory'] })
  readDelivery(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.read(caller, id);
  }

  @Post(':id/redeliver')
  @RevealsRecords()
  @ApiOperation('Redeliver immediately', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_deleted', 'webhook_disabled', 'event_purged'],
  })
  redeliverEvent(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.redeliver(caller, id);
  }
}

@Controller('v1/webhooks/:id')
@Scopes('webhooks')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly starts: ReplayStartsService,
  ) {}

  @Get('deliveries')
  @ApiOperation('List a webhook’s deliveries, newest first', { list: ['deliveries', 'Delivery'] })
  listWebhookDeliveries(@Caller() caller: Caller, @Param('id') id: string, @Query() query: DeliveriesQueryDto) {
    return this.deliveries.list(caller, id, query.toQuery());
  }

  @Get('statistics')
  @ApiOperation('Read how a webhook’s deliveries went', { record: ['statistics', 'WebhookStatistics'] })
  readWebhookStatistics(@Caller() caller: Caller, @Param('id') id: string, @Query() { hours }: StatisticsQueryDto) {
    return this.deliveries.statistics(caller, id, hours ?? DEFAULT_HOURS);
  }

  @Post('test')
  @ApiOperation('Send a test event to a webhook', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_disabled'],
  })
  testWebhook(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.sendTest(caller, id);
  }

  @Post('replay')
  @RevealsRecords()
  @ApiOperation('Replay deliveries of a webhook in the background', {
    accepted: ['replay', 'Replay'],
    conflicts: ['webhook_disabled', 'replay_running'],
  })
  startWebhookReplay(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ReplayDto) {
    return this.starts.start(caller, id, dto.toInput());
  }

  @Get('replay')
  @ApiOperation('Preview a replay without sending anything', { record: ['preview', 'ReplayPreview'] })
  previewWebhookReplay(@Caller() caller: Caller, @Param('id') id: string, @Query() query: ReplayDto) {
    return this.starts.preview(caller, id, query.toInput());
  }

  @Get('replays')
  @ApiOperation('List a webhook’s replays, newest first', { list: ['replays', 'Replay'] })
  listWebhookReplays(@Caller() caller: Caller, @Param('id') id: string, @Query() query: PageQueryDto) {
    return this.deliveries.listReplays(caller, id, query.toQuery());
  }
}

@Controller('v1/replays')
@Scopes('webhooks')
export class ReplaysController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly starts: ReplayStartsService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List the replays of all webhooks, newest first', { list: ['replays', 'Replay'] })
  listReplays(@Caller() caller: Caller, @Query() query: PageQueryDto) {
    return this.deliveries.listReplays(caller, null, query.toQuery());
  }

  @Post()
  @Scopes('webhooks', ...READING_SCOPES)
  @ApiOperation('Replay deliveries of all webhooks in the background: one replay per webhook', {
    createdAll: ['replays', 'Replay'],
  })
  async startReplays(
    @Caller() caller: Caller,
    @Body() dto: ReplaysDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { replays } = await this.starts.startEach(caller, null, dto.toInput());
    void reply.header('location', this.links.replays());
    return replays;
  }

  @Get('preview')
  @ApiOperation('Preview replays of all webhooks without sending anything', {
    record: ['preview', 'ReplayPreview'],
  })
  previewReplays(@Caller() caller: Caller, @Query() query: ReplaysDto) {
    return this.starts.preview(caller, null, query.toInput());
  }

  @Get(':id')
  @ApiOperation('Read the progress of a replay', { record: ['replay', 'Replay'] })
  readReplay(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.readReplay(caller, id);
  }

  @Post(':id/cancel')
  @ApiOperation('Cancel a replay; deliveries already in the queue are still sent', { record: ['replay', 'Replay'] })
  cancelReplay(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.cancelReplay(caller, id);
  }
}
