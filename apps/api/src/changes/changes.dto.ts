import { COPIED_KINDS, type CopiedKind } from '#libs/entities';
import type { ChangesQuery } from '#libs/tickets';
import { IsIn } from 'class-validator';
import { IsCursor, ListFilter, Optional } from '../layers/edge/field-decorators.js';
import { DEFAULT_PER_PAGE, MAX_FEED_PER_PAGE, PerPage, WaitSeconds } from '../layers/edge/page-query.dto.js';

export class ChangesQueryDto {
  @Optional(
    '`meta.cursor` of the previous response. Without one, the feed starts with every existing record.',
    IsCursor(),
  )
  cursor?: string;
  @ListFilter(
    'Lists only records of these types, separated by commas. Only the scopes that read them are needed. Use a cursor with the types that it came from.',
    IsIn(COPIED_KINDS, { each: true }),
  )
  type?: CopiedKind[];
  @PerPage(MAX_FEED_PER_PAGE) per_page?: number;
  @WaitSeconds('a change') wait?: number;

  toQuery(): ChangesQuery & { waitMs: number } {
    const { cursor, type: kinds, per_page: perPage = DEFAULT_PER_PAGE, wait = 0 } = this;
    return { cursor, kinds, perPage: Math.min(perPage, MAX_FEED_PER_PAGE), waitMs: wait * 1000 };
  }
}
