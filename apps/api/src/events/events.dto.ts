import type { EventKind } from '#libs/payloads';
import { IsCursor, IsTime, ListFilter, Optional, timeOf } from '../layers/edge/field-decorators.js';
import {
  DEFAULT_PER_PAGE,
  MAX_FEED_PER_PAGE,
  PerPage,
  WaitSeconds,
  wholeNumber,
} from '../layers/edge/page-query.dto.js';
import { MAX_TICKET_NUMBER } from '../layers/edge/path-parameter.pipes.js';
import { IsEventKind } from '../webhooks/index.js';

export class EventsQueryDto {
  @ListFilter('Lists only events of these kinds, separated by commas.', IsEventKind(true)) event?: EventKind[];
  @Optional('Lists only events of the ticket with this number.', ...wholeNumber(1, MAX_TICKET_NUMBER)) ticket?: number;
  @Optional('Start time if there is no cursor. Default: the oldest event kept.', IsTime()) since?: string;
  @Optional('`meta.cursor` of the previous response.', IsCursor()) cursor?: string;
  @PerPage(MAX_FEED_PER_PAGE) per_page?: number;
  @WaitSeconds('an event') wait?: number;

  toQuery() {
    const { event, ticket, since, cursor, per_page: perPage = DEFAULT_PER_PAGE, wait = 0 } = this;
    const filter = { kinds: event, ticket, since: timeOf(since) };
    return { ...filter, cursor, perPage: Math.min(perPage, MAX_FEED_PER_PAGE), waitMs: wait * 1000 };
  }
}
