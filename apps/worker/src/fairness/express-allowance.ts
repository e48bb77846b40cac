import { LRUCache } from 'lru-cache';
import { EXPRESS_BURST, EXPRESS_RECOVERED, EXPRESS_REFILL_PER_SECOND, MAX_REMEMBERED_ACCOUNTS } from './limits.js';

interface TokenBucket {
  tokens: number;
  refilledAt: number;
}

/** How many deliveries of each account may go express: a token bucket, so a burst soon becomes bulk. */
export class ExpressAllowance {
  /** A forgotten account starts with a full bucket, which does no harm. */
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: MAX_REMEMBERED_ACCOUNTS });
  private readonly heavySet = new Set<string>();

  /** Takes all of them or none. An account that has more at once than its bucket holds is bursting. */
  take(accountId: string, count: number, now: Date): boolean {
    const bucket = this.refill(accountId, now.getTime());
    const isHeavy = this.heavySet.has(accountId) && bucket.tokens < EXPRESS_RECOVERED;
    if (isHeavy || bucket.tokens < count) return this.refuse(accountId, bucket);
    this.heavySet.delete(accountId);
    bucket.tokens -= count;
    return true;
  }

  /** Accounts that used up their allowance and have not recovered. */
  heavyAccounts(now: Date): string[] {
    for (const accountId of this.heavySet)
      if (this.refill(accountId, now.getTime()).tokens >= EXPRESS_RECOVERED) this.heavySet.delete(accountId);
    return [...this.heavySet];
  }

  /** Keeps accounts heavy whose events wait for room: they only seem quiet. */
  refreshHeavy(now: Date): void {
    for (const accountId of this.heavySet) this.refuse(accountId, this.refill(accountId, now.getTime()));
  }

  /** Events of a heavy account keep it heavy, so a burst does not go express again every tenth of a second. */
  private refuse(accountId: string, bucket: TokenBucket): false {
    this.heavySet.add(accountId);
    bucket.tokens = 0;
    return false;
  }

  private refill(accountId: string, now: number): TokenBucket {
    const known = this.buckets.get(accountId) ?? this.newBucket(accountId, now);
    const refill = (Math.max(0, now - known.refilledAt) / 1000) * EXPRESS_REFILL_PER_SECOND;
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
