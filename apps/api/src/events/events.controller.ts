import { READING_SCOPES } from '#libs/entities';
import { wholePage } from '#libs/lists';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { EventFeedService } from '#libs/webhooks';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller, Exchange } from '../layers/edge/caller.js';
import { LongPollsService } from '../layers/live/long-polls.service.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { EventsQueryDto } from './events.dto.js';

@Controller('v1/events')
@Scopes(...READING_SCOPES)
export class EventsController {
  constructor(
    private readonly feed: EventFeedService,
    private readonly polls: LongPollsService,
  ) {}

  @Get()
  @ApiOperation('List events, oldest first', { feed: ['events', 'Event'], conflicts: ['cursor_of_another_history'] })
  listEvents(@Caller() caller: Caller, @Query() query: EventsQueryDto, @Exchange() exchange: Exchange) {
    const wanted = query.toQuery();
    const load = (cursor?: string) => this.feed.page(caller.accountId, { ...wanted, cursor });
    return this.polls.page(caller, { topic: { kind: 'events' }, query: wanted, load }, exchange);
  }

  @Get(':id')
  @ApiOperation('Read an event', { record: ['event', 'Event'] })
  readEvent(@Caller() { accountId }: Caller, @Param('id') id: string) {
    return this.feed.read(accountId, id);
  }
}

const KINDS = wholePage(Object.keys(EVENT_KINDS) as EventKind[]);

@Controller('v1/event_kinds')
@Scopes()
export class EventKindsController {
  @Get()
  @ApiOperation('List the kinds of events, each with a sample payload', { list: ['event_kinds', 'EventKind'] })
  listEventKinds() {
    return KINDS;
  }
}
