import { LRUCache } from 'lru-cache';

/** Deliveries of an account at once. More, and a burst delays the events of others. */
const BURST = 50;

/** Less, and the steady traffic of an account goes through the relay, which takes longer. */
const PER_SECOND = 300;

/** More deliveries of an event cost this much less than the first. */
const DELIVERIES_PER_EVENT = 10;

/** A forgotten account has its whole allowance. */
const MAX_ACCOUNTS = 10_000;

interface Spent {
  readonly events: number;
  readonly deliveries: number;
}

interface Bucket {
  tokens: number;
  refilledAt: number;
}

/**
 * A token bucket for each account. Events beyond it are spent too, so an account that sends faster than its allowance
 * stays without, and its events wait their turn in the outbox.
 */
export class ExpressAllowance {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MAX_ACCOUNTS });

  has(accountId: string, now: number): boolean {
    return this.refilled(accountId, now).tokens >= 1;
  }

  /** Returns whether the allowance was enough. */
  spend(accountId: string, { events, deliveries }: Spent, now: number): boolean {
    const bucket = this.refilled(accountId, now);
    const cost = events + (deliveries - events) / DELIVERIES_PER_EVENT;
    const isEnough = bucket.tokens >= cost;
    bucket.tokens = Math.max(0, bucket.tokens - cost);
    return isEnough;
  }

  private refilled(accountId: string, now: number): Bucket {
    const bucket = this.buckets.get(accountId) ?? { tokens: BURST, refilledAt: now };
    bucket.tokens = Math.min(BURST, bucket.tokens + ((now - bucket.refilledAt) / 1000) * PER_SECOND);
    bucket.refilledAt = now;
    this.buckets.set(accountId, bucket);
    return bucket;
  }
}
