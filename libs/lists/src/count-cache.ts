import { Clock } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Long enough to spare a large desk its dearest questions, short enough that nobody acts on what is no longer so. */
const CACHED_MS = 60_000;
const MAX_CACHED_COUNTS = 10_000;

/**
 * Numbers about large sets that hardly change within a minute, kept in the process so as not to count them each time.
 * The values are of one type for each kind of key.
 */
@Injectable()
export class CountCache extends LRUCache<string, boolean | number | object> {
  constructor(clock: Clock) {
    const perf = { now: () => clock.now().getTime() };
    super({ max: MAX_CACHED_COUNTS, ttl: CACHED_MS, ttlResolution: 0, perf });
  }
}
