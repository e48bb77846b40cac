import type { ChangesQuery } from '#libs/tickets';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { ApiDescription } from '../edge/api-description.js';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IsCursor } from '../edge/field-decorators.js';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../edge/page-query.dto.js';
import { type AuthenticatedRequest, Caller } from '../edge/caller.js';
import { ChangesFeedService } from './changes-feed.service.js';

const MAX_WAIT_SECONDS = 30;

class ChangesQueryDto {
  @ApiDescription('`meta.cursor` of the answer before. Without one, every record there is, and then what changes.')
  @IsOptional()
  @IsCursor()
  cursor?: string;
  @ApiDescription('More than 50 is taken as 50.') @IsOptional() @Type(() => Number) @IsInt() @Min(1) per_page?: number;
  @ApiDescription('For how many seconds to wait for a change while there is none.')
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(MAX_WAIT_SECONDS)
  wait?: number;

  toQuery(): ChangesQuery & { waitMs: number } {
    const { cursor, per_page: perPage = DEFAULT_PER_PAGE, wait = 0 } = this;
    return { cursor, perPage: Math.min(perPage, MAX_PER_PAGE), waitMs: wait * 1000 };
  }
}

@Controller('v1/changes')
export class ChangesController {
  constructor(private readonly following: ChangesFeedService) {}

  @Get()
  @ApiOperation('Copy every record, and follow what changes', {
    feed: ['changes', 'Change'],
    conflicts: ['cursor_of_another_history'],
  })
  async list(
    @Caller() caller: Caller,
    @Query() query: ChangesQueryDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const wanted = query.toQuery();
    const { changes, cursor, hasMore } = await this.following.page(caller, wanted, { request, reply });
    return { items: changes, perPage: wanted.perPage, cursor, hasMore };
  }
}
