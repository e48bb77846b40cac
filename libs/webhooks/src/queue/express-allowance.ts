import { LRUCache } from 'lru-cache';

/** Deliveries of an account at once. More, and a burst delays the events of others. */
const BURST = 50;

/** Less, and the steady traffic of an account goes through the relay, which takes longer. */
const PER_SECOND = 250;

/** More deliveries of an event cost this much less than the first. */
const DELIVERIES_PER_EVENT = 10;

export const costOf = ({ events, deliveries }: { readonly events: number; readonly deliveries: number }): number =>
  events + (deliveries - events) / DELIVERIES_PER_EVENT;

/** A forgotten account has its whole allowance. */
const MAX_ACCOUNTS = 10_000;

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

  /** Returns whether the allowance was enough. A negative cost is given back. */
  spend(accountId: string, cost: number, now: number): boolean {
    const bucket = this.refilled(accountId, now);
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
