import { READING_SCOPES } from '#libs/entities';
import { type ChangesPage, ChangesService } from '#libs/tickets';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { type AuthenticatedRequest, Caller } from '../layers/edge/caller.js';
import { BearerGuard } from '../layers/oauth/bearer.guard.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { ChangeWaitsService, type Exchange } from './change-waits.service.js';
import { ChangesQueryDto, type WaitingQuery } from './changes.dto.js';

@Controller('v1/changes')
@Scopes(...READING_SCOPES)
export class ChangesController {
  constructor(
    private readonly changes: ChangesService,
    private readonly waits: ChangeWaitsService,
    private readonly bearer: BearerGuard,
  ) {}

  @Get()
  @ApiOperation('Copy all records, then follow changes', {
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
    const { changes, cursor, hasMore } = await this.page(caller, wanted, { request, reply });
    return { items: changes, perPage: wanted.perPage, cursor, hasMore };
  }

  /** Waits until a page has changes. Round trips: those of a page; after a wait, the token’s 1 and another page. */
  private async page(caller: Caller, query: WaitingQuery, exchange: Exchange): Promise<ChangesPage> {
    const deadline = performance.now() + query.waitMs;
    let checkedAt = performance.now() - exchange.reply.elapsedTime;
    for (let cursor = query.cursor; ;) {
      const page = await this.changes.page(caller.accountId, { ...query, cursor });
      const leftMs = deadline - performance.now();
      if (page.changes.length > 0 || page.hasMore || query.waitMs === 0 || leftMs <= 0) return page;
      if (!(await this.waits.forChange(caller, { latest: page.latest, ms: leftMs, checkedAt }, exchange))) return page;
      // The token may have been revoked during the wait.
      checkedAt = performance.now();
      await this.bearer.authenticate(exchange.request);
      cursor = page.cursor;
    }
  }
}
