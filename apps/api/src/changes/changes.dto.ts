import type { ChangesQuery } from '#libs/tickets';
import { IsCursor, Optional } from '../layers/edge/field-decorators.js';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, PerPage, WaitSeconds } from '../layers/edge/page-query.dto.js';

export class ChangesQueryDto {
  @Optional(
    '`meta.cursor` of the previous response. Without one, the feed starts with every existing record.',
    IsCursor(),
  )
  cursor?: string;
  @PerPage() per_page?: number;
  @WaitSeconds('a change') wait?: number;

  toQuery(): ChangesQuery & { waitMs: number } {
    const { cursor, per_page: perPage = DEFAULT_PER_PAGE, wait = 0 } = this;
    return { cursor, perPage: Math.min(perPage, MAX_PER_PAGE), waitMs: wait * 1000 };
  }
}
