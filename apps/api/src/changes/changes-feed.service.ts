import { type ChangesPage, type ChangesQuery, ChangesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { BearerGuard } from '../oauth/bearer.guard.js';
import type { Caller } from '../edge/caller.js';
import { ChangeWaitsService, type Exchange } from './change-waits.service.js';

/** A page of changes, at once or when there is one. */
@Injectable()
export class ChangesFeedService {
  constructor(
    private readonly changes: ChangesService,
    private readonly waits: ChangeWaitsService,
    private readonly bearer: BearerGuard,
  ) {}

  /** Round trips: those of a page; after a wait, the token's 1 and another page. */
  async page(caller: Caller, query: ChangesQuery & { waitMs: number }, exchange: Exchange): Promise<ChangesPage> {
    const end = performance.now() + query.waitMs;
    for (let cursor = query.cursor; ;) {
      const page = await this.changes.page(caller.accountId, { ...query, cursor });
      const leftMs = end - performance.now();
      if (page.changes.length > 0 || page.hasMore || query.waitMs === 0 || leftMs <= 0) return page;
      const ended = await this.waits.forChange(caller, { latest: page.latest, ms: leftMs }, exchange);
      if (ended !== 'changed') return page;
      // Whoever lost the right to read while waiting is not told of what happened since.
      await this.bearer.authenticate(exchange.request);
      cursor = page.cursor;
    }
  }
}
