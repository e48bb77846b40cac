import { Clock } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Short enough for nobody to notice a stale number. */
const CACHED_MS = 60_000;
const MAX_CACHED_COUNTS = 10_000;

@Injectable()
export class CountCache extends LRUCache<string, object> {
  constructor(clock: Clock) {
    const perf = { now: () => clock.now().getTime() };
    super({ max: MAX_CACHED_COUNTS, ttl: CACHED_MS, ttlResolution: 0, perf });
  }
}
