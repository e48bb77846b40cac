import { LRUCache } from 'lru-cache';
import {
  EXPRESS_BURST,
  EXPRESS_EVENTS_PER_SECOND_ALONE,
  EXPRESS_IDLE_AFTER_MS,
  EXPRESS_RECOVERED,
  EXPRESS_REFILL_PER_SECOND,
} from './limits.js';

/** Bounds memory. A forgotten account has a full bucket. */
const MAX_REMEMBERED_ACCOUNTS = 10_000;

interface TokenBucket {
  tokens: number;
  refilledAt: number;
}

interface Taken {
  readonly deliveries: number;
  readonly events: number;
}

/** A token bucket per account; a burst becomes bulk. */
export class ExpressAllowance {
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: MAX_REMEMBERED_ACCOUNTS });
  private readonly burstingSet = new Set<string>();
  private last = { accountId: '', at: Number.NEGATIVE_INFINITY, othersAt: Number.NEGATIVE_INFINITY };

  constructor(private readonly onRecovered: () => void = () => undefined) {}

  /** All or none. An account without enough tokens is bursting. */
  take(accountId: string, { deliveries, events }: Taken, now: Date): boolean {
    this.noteSender(accountId, now.getTime());
    const bucket = this.refill(accountId, now.getTime());
    const count = this.isAlone(accountId, now.getTime()) ? events : deliveries;
    const isBursting = this.burstingSet.has(accountId) && bucket.tokens < EXPRESS_RECOVERED;
    if (isBursting || bucket.tokens < count || deliveries > EXPRESS_BURST)
      return this.refuse(accountId, bucket, deliveries);
    this.recover(accountId);
    bucket.tokens -= count;
    return true;
  }

  burstingAccounts(now: Date): string[] {
    for (const accountId of this.burstingSet)
      if (this.refill(accountId, now.getTime()).tokens >= EXPRESS_RECOVERED) this.recover(accountId);
    return [...this.burstingSet];
  }

  areBursting(accountIds: readonly string[], now: Date): boolean {
    this.burstingAccounts(now);
    return accountIds.length > 0 && accountIds.every((accountId) => this.burstingSet.has(accountId));
  }

  /** Accounts whose events wait for room only seem quiet. */
  refreshBursting(now: Date): void {
    for (const accountId of this.burstingSet)
      this.refuse(accountId, this.refill(accountId, now.getTime()), EXPRESS_BURST);
  }

  /** Bulk counts too, or a burst would be express again every tenth of a second. */
  private refuse(accountId: string, bucket: TokenBucket, count: number): false {
    this.burstingSet.add(accountId);
    bucket.tokens = Math.max(0, bucket.tokens - count);
    return false;
  }

  private recover(accountId: string): void {
    if (this.burstingSet.delete(accountId)) this.onRecovered();
  }

  private noteSender(accountId: string, at: number): void {
    const { last } = this;
    this.last = { accountId, at, othersAt: last.accountId === accountId ? last.othersAt : last.at };
  }

  private isAlone(accountId: string, now: number): boolean {
    const { last } = this;
    return now - (last.accountId === accountId ? last.othersAt : last.at) > EXPRESS_IDLE_AFTER_MS;
  }

  private refill(accountId: string, now: number): TokenBucket {
    const known = this.buckets.get(accountId) ?? this.newBucket(accountId, now);
    const perSecond = this.isAlone(accountId, now) ? EXPRESS_EVENTS_PER_SECOND_ALONE : EXPRESS_REFILL_PER_SECOND;
    const refill = (Math.max(0, now - known.refilledAt) / 1000) * perSecond;
    known.tokens = Math.min(EXPRESS_BURST, known.tokens + refill);
    known.refilledAt = now;
    return known;
  }

  private newBucket(accountId: string, now: number): TokenBucket {
    const bucket = { tokens: EXPRESS_BURST, refilledAt: now };
    this.buckets.set(accountId, bucket);
    return bucket;
  }
}
