import type { Page } from '#libs/lists';
import { EVENT_KINDS, type EventKind, Links, eventKindPayload } from '#libs/payloads';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { ListResponse } from '../../http/responses.js';

const KINDS = Object.keys(EVENT_KINDS) as EventKind[];

const ALL: Page<EventKind> = {
  items: KINDS,
  page: 1,
  perPage: 25,
  total: KINDS.length,
  capped: false,
  next: null,
  previous: null,
};

@Controller('v1/event_kinds')
export class EventKindsController {
  constructor(private readonly links: Links) {}

  @Get()
  @ApiOperation('List the kinds of events, each with a sample of what it carries', {
    list: ['event_kinds', 'EventKind'],
  })
  list() {
    return new ListResponse('event_kinds', ALL, (kind) => eventKindPayload(kind, this.links));
  }
}
