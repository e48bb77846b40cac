import { wholePage } from '#libs/lists';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { EventFeedService } from '#libs/webhooks';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { IsCursor, IsTime, ListFilter, Optional, timeOf } from '../layers/edge/field-decorators.js';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, PerPage } from '../layers/edge/page-query.dto.js';
import { Caller } from '../layers/edge/caller.js';
import { IsEventKind } from '../webhooks/index.js';

class EventsQueryDto {
  @ListFilter('Lists only events of these kinds, separated by commas.', IsEventKind(true)) event?: EventKind[];
  @Optional('Start time if there is no cursor. Default: the oldest event kept.', IsTime()) since?: string;
  @Optional('`meta.cursor` of the previous response.', IsCursor()) cursor?: string;
  @PerPage() per_page?: number;

  toQuery() {
    const { event, since, cursor, per_page: perPage = DEFAULT_PER_PAGE } = this;
    return { kinds: event, since: timeOf(since), cursor, perPage: Math.min(perPage, MAX_PER_PAGE) };
  }
}

@Controller('v1/events')
export class EventsController {
  constructor(private readonly feed: EventFeedService) {}

  @Get()
  @ApiOperation('List events, oldest first', {
    feed: ['events', 'Event'],
    conflicts: ['cursor_of_another_history'],
  })
  async list(@Caller() { accountId }: Caller, @Query() query: EventsQueryDto) {
    const wanted = query.toQuery();
    const { events, cursor, hasMore } = await this.feed.page(accountId, wanted);
    return { items: events, perPage: wanted.perPage, cursor, hasMore };
  }

  @Get(':id')
  @ApiOperation('Read an event', { record: ['event', 'Event'] })
  read(@Caller() { accountId }: Caller, @Param('id') id: string) {
    return this.feed.read(accountId, id);
  }
}

const KINDS = wholePage(Object.keys(EVENT_KINDS) as EventKind[]);

@Controller('v1/event_kinds')
export class EventKindsController {
  @Get()
  @ApiOperation('List the kinds of events, each with a sample payload', { list: ['event_kinds', 'EventKind'] })
  list() {
    return KINDS;
  }
}
