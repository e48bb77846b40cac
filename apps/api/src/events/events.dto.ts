import type { EventKind } from '#libs/payloads';
import { IsTime, ListFilter, Optional, timeOf } from '../layers/edge/field-decorators.js';
import { FeedQueryDto, wholeNumber } from '../layers/edge/page-query.dto.js';
import { MAX_TICKET_NUMBER } from '../layers/edge/path-parameter.pipes.js';
import { IsEventKind } from '../webhooks/index.js';

export class EventsQueryDto extends FeedQueryDto {
  @ListFilter('Lists only events of these kinds, separated by commas.', IsEventKind(true)) event?: EventKind[];
  @Optional('Lists only events of the ticket with this number.', ...wholeNumber(1, MAX_TICKET_NUMBER)) ticket?: number;
  @Optional('Start time if there is no cursor. Default: the oldest event kept.', IsTime()) since?: string;

  toQuery() {
    const { event, ticket, since } = this;
    return { ...this.position(), kinds: event, ticket, since: timeOf(since) };
  }
}
