import { READING_SCOPES } from '#libs/entities';
import { wholePage } from '#libs/lists';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { EventFeedService } from '#libs/webhooks';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller } from '../layers/edge/caller.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { EventsQueryDto } from './events.dto.js';

@Controller('v1/events')
@Scopes(...READING_SCOPES)
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
@Scopes()
export class EventKindsController {
  @Get()
  @ApiOperation('List the kinds of events, each with a sample payload', { list: ['event_kinds', 'EventKind'] })
  list() {
    return KINDS;
  }
}
