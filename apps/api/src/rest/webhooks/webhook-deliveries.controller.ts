import { DeliveriesService, ReplaysService, TestEventsService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../../http/api-operation.decorator.js';
import { PageQueryDto } from '../../http/page-query.dto.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { DeliveriesQueryDto } from './dto/deliveries-query.dto.js';
import { ReplayDto } from './dto/replay.dto.js';

/** The deliveries of a webhook. */
@Controller('v1/webhooks/:id')
@Scopes('webhooks', 'admin')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly tests: TestEventsService,
    private readonly replays: ReplaysService,
  ) {}

  @Get('deliveries')
  @ApiOperation('List a webhook’s deliveries, newest first', { list: ['deliveries', 'Delivery'] })
  list(@Caller() caller: Caller, @Param('id') id: string, @Query() query: DeliveriesQueryDto) {
    return this.deliveries.list(caller, id, query.toQuery());
  }

  @Post('test')
  @ApiOperation('Send a sample of the webhook’s kind of event, to this webhook only', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_disabled'],
  })
  test(@Caller() caller: Caller, @Param('id') id: string) {
    return this.tests.send(caller, id);
  }

  @Post('replay')
  @ApiOperation('Send many deliveries again, in the background', {
    accepted: ['replay', 'Replay'],
    conflicts: ['webhook_disabled', 'replay_running'],
  })
  replay(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ReplayDto) {
    return this.replays.start(caller, id, dto.toInput());
  }

  @Get('replays')
  @ApiOperation('List a webhook’s replays, newest first', { list: ['replays', 'Replay'] })
  listReplays(@Caller() caller: Caller, @Param('id') id: string, @Query() query: PageQueryDto) {
    return this.replays.list(caller, id, query.toQuery());
  }
}
