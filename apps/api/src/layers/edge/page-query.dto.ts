import type { PageRequest } from '#libs/lists';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { IsCursor, Optional } from './field-decorators.js';

const DEFAULT_PER_PAGE = 25;
export const MAX_PER_PAGE = 50;
const MAX_FEED_PER_PAGE = 500;
const MAX_WAIT_SECONDS = 30;

export const wholeNumber = (min: number, max: number) => [Type(() => Number), IsInt(), Min(min), Max(max)];

const PerPage = (max: number) =>
  Optional(
    {
      words: `Records per page. Values above ${max} are treated as ${max}.`,
      default: DEFAULT_PER_PAGE,
    },
    Type(() => Number),
    IsInt(),
    Min(1),
  );

export class PageQueryDto {
  @Optional(
    { words: 'Number of the page, from 1. To read a whole list, follow `next_page` instead.', default: 1 },
    ...wholeNumber(1, 1_000_000_000),
  )
  page?: number;
  @PerPage(MAX_PER_PAGE) per_page?: number;
  @Optional('Part of `next_page` and `prev_page`. Do not construct it yourself.', IsCursor()) cursor?: string;

  toQuery(): PageRequest {
    const { page = 1, per_page: perPage = DEFAULT_PER_PAGE, cursor } = this;
    return { page, perPage: Math.min(perPage, MAX_PER_PAGE), cursor };
  }
}

export class FeedQueryDto {
  @Optional('`meta.cursor` of the previous response. Without one, the feed starts at its beginning.', IsCursor())
  cursor?: string;
  @PerPage(MAX_FEED_PER_PAGE) per_page?: number;
  @Optional('Seconds to wait for a record if there is none yet.', ...wholeNumber(0, MAX_WAIT_SECONDS)) wait?: number;

  protected position() {
    const { cursor, per_page: perPage = DEFAULT_PER_PAGE, wait = 0 } = this;
    return { cursor, perPage: Math.min(perPage, MAX_FEED_PER_PAGE), waitMs: wait * 1000 };
  }
}
