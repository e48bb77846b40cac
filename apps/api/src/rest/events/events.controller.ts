import { EventFeedService } from '#libs/webhooks';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '../../http/api-operation.decorator.js';
import { Caller } from '../../oauth/caller.js';
import { EventsQueryDto } from './dto/events-query.dto.js';

@Controller('v1/events')
export class EventsController {
  constructor(private readonly feed: EventFeedService) {}

  @Get()
  @ApiOperation('Read what happened, oldest first', { feed: ['events', 'Event'] })
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
