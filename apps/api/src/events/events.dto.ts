import type { EventKind } from '#libs/payloads';
import { IsCursor, IsTime, ListFilter, Optional, timeOf } from '../layers/edge/field-decorators.js';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, PerPage } from '../layers/edge/page-query.dto.js';
import { IsEventKind } from '../webhooks/index.js';

export class EventsQueryDto {
  @ListFilter('Lists only events of these kinds, separated by commas.', IsEventKind(true)) event?: EventKind[];
  @Optional('Start time if there is no cursor. Default: the oldest event kept.', IsTime()) since?: string;
  @Optional('`meta.cursor` of the previous response.', IsCursor()) cursor?: string;
  @PerPage() per_page?: number;

  toQuery() {
    const { event, since, cursor, per_page: perPage = DEFAULT_PER_PAGE } = this;
    return { kinds: event, since: timeOf(since), cursor, perPage: Math.min(perPage, MAX_PER_PAGE) };
  }
}
