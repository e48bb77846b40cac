import { wholePage } from '#libs/lists';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';

const KINDS = wholePage(Object.keys(EVENT_KINDS) as EventKind[]);

@Controller('v1/event_kinds')
export class EventKindsController {
  @Get()
  @ApiOperation('List the kinds of events, each with a sample of what it carries', {
    list: ['event_kinds', 'EventKind'],
  })
  list() {
    return KINDS;
  }
}
