import { DELIVERY_STANDINGS, DELIVERY_STATES, type DeliveryStanding, type DeliveryState } from '#libs/entities';
import { DeliveriesService, type DeliveryQuery, ReplayStartsService, ReplaysService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IsTime, splitFilter, timeOf } from '../edge/field-decorators.js';
import { PageQueryDto } from '../edge/page-query.dto.js';
import { RevealsRecords, Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { ReplayDto } from './replay.dto.js';

/** With a filter by state, a page can have fewer items than `per_page`. Follow `next_page` to see more. */
class DeliveriesQueryDto extends PageQueryDto {
  @ApiDescription('One or several, separated by commas.')
  @IsOptional()
  @Transform(splitFilter)
  @IsIn(DELIVERY_STATES, { each: true })
  state?: DeliveryState[];
  @ApiDescription('One or several, separated by commas: how they stand, in the words of the console.')
  @IsOptional()
  @Transform(splitFilter)
  @IsIn(DELIVERY_STANDINGS, { each: true })
  standing?: DeliveryStanding[];
  @ApiDescription('Made then or later.')
  @IsOptional()
  @IsTime()
  since?: string;
  @ApiDescription('Made earlier.')
  @IsOptional()
  @IsTime()
  before?: string;

  override toQuery(): DeliveryQuery {
    return {
      ...super.toQuery(),
      states: this.state ?? undefined,
      standings: this.standing ?? undefined,
      since: timeOf(this.since),
      before: timeOf(this.before),
    };
  }
}

/** The deliveries of a webhook. */
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
  @ApiOperation('Send a sample of the webhook’s kind of event, to this webhook only', {
    accepted: ['delivery', 'Delivery'],
    conflicts: ['webhook_disabled'],
  })
  test(@Caller() caller: Caller, @Param('id') id: string) {
    return this.deliveries.sendTest(caller, id);
  }

  @Post('replay')
  @RevealsRecords()
  @ApiOperation('Send many deliveries again, in the background', {
    accepted: ['replay', 'Replay'],
    conflicts: ['webhook_disabled', 'replay_running'],
  })
  replay(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ReplayDto) {
    return this.starts.start(caller, id, dto.toInput());
  }

  @Get('replay')
  @ApiOperation('See what a replay would send, without sending it', { record: ['preview', 'ReplayPreview'] })
  previewReplay(@Caller() caller: Caller, @Param('id') id: string, @Query() query: ReplayDto) {
    return this.starts.preview(caller, id, query.toInput());
  }

  @Get('replays')
  @ApiOperation('List a webhook’s replays, newest first', { list: ['replays', 'Replay'] })
  listReplays(@Caller() caller: Caller, @Param('id') id: string, @Query() query: PageQueryDto) {
    return this.replays.list(caller, id, query.toQuery());
  }
}
