import { Clock } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Long enough to spare a large desk its dearest questions, short enough that nobody acts on what is no longer so. */
const BELIEVED_MS = 60_000;
const MOST_BELIEVED = 10_000;

interface CacheEntry {
  readonly value: unknown;
  readonly until: number;
}

/** Numbers about large sets that hardly change within a minute, kept in the process so as not to count them each time. */
@Injectable()
export class CountCache {
  private readonly held = new Map<string, CacheEntry>();

  constructor(private readonly clock: Clock) {}

  /** What was remembered under the key, which is of one type for each kind of key. */
  get(key: string): unknown {
    const belief = this.held.get(key);
    return belief && belief.until > this.clock.now().getTime() ? belief.value : undefined;
  }

  set(key: string, value: unknown): void {
    if (this.held.size >= MOST_BELIEVED) this.held.clear();
    this.held.set(key, { value, until: this.clock.now().getTime() + BELIEVED_MS });
  }
}
