import { type AccountConnection, Clock } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type CappedCount, countNear, countUpToCap } from './count.statements.js';
import type { Listing } from './listing.js';

/** Short enough for nobody to notice a stale number. */
const CACHED_MS = 60_000;
const MAX_CACHED_COUNTS = 10_000;

/** All keys of one kind have values of one type. */
@Injectable()
export class CountCache extends LRUCache<string, boolean | number | object> {
  constructor(clock: Clock) {
    const perf = { now: () => clock.now().getTime() };
    super({ max: MAX_CACHED_COUNTS, ttl: CACHED_MS, ttlResolution: 0, perf });
  }
}

@Injectable()
export class RowCounter {
  constructor(private readonly cache: CountCache) {}

  /** Caches counts above the cap, which are the most expensive, and all counts of searches. */
  async count(connection: AccountConnection, listing: Listing): Promise<CappedCount> {
    const { conditions, isFullText } = listing;
    const key = keyOf(connection, listing);
    const cached = this.cache.get(key) as CappedCount | undefined;
    if (cached) return cached;
    const count = await (conditions.hasFilter ? countNear : countUpToCap)(connection, listing);
    if (count.capped || (isFullText && count.total > 0)) this.cache.set(key, count);
    return count;
  }
}

function keyOf({ accountId }: AccountConnection, { from, conditions, countedAs }: Listing): string {
  const query = countedAs ?? [conditions.sql(), conditions.filterSql(), conditions.values];
  return JSON.stringify([accountId, 'rows', from, query]);
}
