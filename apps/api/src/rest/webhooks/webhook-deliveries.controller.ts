import { Links, deliveryPayload, replayPayload } from '#libs/payloads';
import { DeliveriesService, ReplaysService, TestEventsService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { AcceptedResponse, ListResponse } from '../../http/responses.js';
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
    private readonly links: Links,
  ) {}

  @Get('deliveries')
  @ApiOperation('List a webhook’s deliveries, newest first', { list: ['deliveries', 'Delivery'] })
  async list(@Caller() caller: Caller, @Param('id') id: string, @Query() query: DeliveriesQueryDto) {
    const page = await this.deliveries.list(caller, id, query.toQuery());
    return new ListResponse('deliveries', page, (delivery) => deliveryPayload(delivery, this.links));
  }

  @Post('test')
  @ApiOperation('Send a sample of the webhook’s kind of event, to this webhook only', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_disabled'],
  })
  async test(@Caller() caller: Caller, @Param('id') id: string) {
    const delivery = await this.tests.send(caller, id);
    return new AcceptedResponse(this.links.record('deliveries', delivery.id), {
      delivery: deliveryPayload(delivery, this.links),
    });
  }

  @Post('replay')
  @ApiOperation('Send many deliveries again, in the background', {
    accepted: ['replay', 'Replay'],
    conflicts: ['webhook_disabled', 'replay_running'],
  })
  async replay(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ReplayDto) {
    const replay = await this.replays.start(caller, id, dto.toInput());
    return new AcceptedResponse(this.links.record('replays', replay.id), { replay: replayPayload(replay, this.links) });
  }

  @Get('replays')
  @ApiOperation('List a webhook’s replays, newest first', { list: ['replays', 'Replay'] })
  async listReplays(@Caller() caller: Caller, @Param('id') id: string, @Query() query: PageQueryDto) {
    const page = await this.replays.list(caller, id, query.toQuery());
    return new ListResponse('replays', page, (replay) => replayPayload(replay, this.links));
  }
}
