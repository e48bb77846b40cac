import type { EventKind } from '#libs/payloads';
import type { FeedQuery } from '#libs/webhooks';
import { Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { IsIsoTime, splitCommas, timeOf } from '../../../http/field-decorators.js';
import { MAX_PER_PAGE, DEFAULT_PER_PAGE } from '../../../http/page-query.dto.js';
import { IsEventKind } from '../../webhooks/dto/webhook.dto.js';

export class EventsQueryDto {
  /** One kind or several, separated by commas. */
  @IsOptional() @Transform(splitCommas) @IsEventKind(true) event?: EventKind[];
  /** Where to begin without a cursor; at the oldest event that is kept unless said. */
  @IsOptional() @IsIsoTime() since?: string;
  /** `meta.cursor` of the answer before. */
  @IsOptional() @IsString() @MaxLength(1000) cursor?: string;
  /** More than 50 is taken as 50. */
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) per_page?: number;

  toQuery(): FeedQuery {
    const { event, since, cursor, per_page: perPage = DEFAULT_PER_PAGE } = this;
    return { kinds: event, since: timeOf(since), cursor, perPage: Math.min(perPage, MAX_PER_PAGE) };
  }
}
