import type { Event } from '#libs/entities';
import { type JsonSchema, Links, eventPayload, ref } from '#libs/payloads';
import { EventFeedService } from '#libs/webhooks';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { FeedResponse } from '../../http/responses.js';
import { Caller } from '../../oauth/caller.js';
import { EventsQueryDto } from './dto/events-query.dto.js';

const FEED: JsonSchema = {
  type: 'object',
  properties: {
    events: { type: 'array', items: ref('Event') },
    meta: {
      type: 'object',
      properties: {
        cursor: { type: 'string', description: 'Where to go on, at once or later.' },
        pagination: {
          type: 'object',
          properties: {
            per_page: { type: 'integer' },
            next_page: {
              type: ['string', 'null'],
              format: 'uri',
              description: 'Null while nothing more has happened.',
            },
          },
          required: ['per_page', 'next_page'],
        },
      },
      required: ['cursor', 'pagination'],
    },
  },
  required: ['events', 'meta'],
};

@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly feed: EventFeedService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('Read what happened, oldest first', { responseSchema: FEED })
  async list(@Caller() { accountId }: Caller, @Query() query: EventsQueryDto) {
    const wanted = query.toQuery();
    const { events, cursor, hasMore } = await this.feed.page(accountId, wanted);
    return new FeedResponse('events', events.map(this.payload), { perPage: wanted.perPage, cursor, more: hasMore });
  }

  @Get(':id')
  @ApiOperation('Read an event', { record: ['event', 'Event'] })
  async read(@Caller() { accountId }: Caller, @Param('id') id: string) {
    return { event: this.payload(await this.feed.read(accountId, id)) };
  }

  private readonly payload = (event: Event) => eventPayload(event, this.links);
}
