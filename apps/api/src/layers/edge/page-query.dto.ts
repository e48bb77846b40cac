import type { PageRequest } from '#libs/lists';
import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { IsCursor, Optional } from './field-decorators.js';

export const DEFAULT_PER_PAGE = 25;
export const MAX_PER_PAGE = 50;
export const MAX_FEED_PER_PAGE = 500;

export const wholeNumber = (min: number, max: number) => [Type(() => Number), IsInt(), Min(min), Max(max)];

export const PerPage = (max = MAX_PER_PAGE) =>
  Optional(
    {
      words: `Records per page. Values above ${max} are treated as ${max}.`,
      default: DEFAULT_PER_PAGE,
    },
    Type(() => Number),
    IsInt(),
    Min(1),
  );

const MAX_WAIT_SECONDS = 30;

export const WaitSeconds = (record: string) =>
  Optional(`Seconds to wait for ${record} if there is none yet.`, ...wholeNumber(0, MAX_WAIT_SECONDS));

export class PageQueryDto {
  @Optional(
    { words: 'Number of the page, from 1. To read a whole list, follow `next_page` instead.', default: 1 },
    ...wholeNumber(1, 1_000_000_000),
  )
  page?: number;
  @PerPage() per_page?: number;
  @Optional('Part of `next_page` and `prev_page`. Do not construct it yourself.', IsCursor()) cursor?: string;

  toQuery(): PageRequest {
    const { page = 1, per_page: perPage = DEFAULT_PER_PAGE, cursor } = this;
    return { page, perPage: Math.min(perPage, MAX_PER_PAGE), cursor };
  }
}
