import { LRUCache } from 'lru-cache';
import { EXPRESS_BURST, EXPRESS_RECOVERED, EXPRESS_REFILL_PER_SECOND, MAX_REMEMBERED_ACCOUNTS } from './limits.js';

interface TokenBucket {
  tokens: number;
  refilledAt: number;
}

/** How many deliveries of each account may travel express: a bucket that refills, so a burst is soon bulk. */
export class ExpressAllowance {
  /** Forgetting an account only gives it a full bucket again. */
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: MAX_REMEMBERED_ACCOUNTS });
  private readonly heavySet = new Set<string>();

  /** All of them or none. Who has more at once than what is left bursts, and is in no hurry with any of it. */
  take(accountId: string, count: number, now: Date): boolean {
    const bucket = this.refill(accountId, now.getTime());
    const isHeavy = this.heavySet.has(accountId) && bucket.tokens < EXPRESS_RECOVERED;
    if (isHeavy || bucket.tokens < count) return this.refuse(accountId, bucket);
    this.heavySet.delete(accountId);
    bucket.tokens -= count;
    return true;
  }

  /** Accounts that have used up what they had. */
  heavyAccounts(now: Date): string[] {
    for (const accountId of this.heavySet)
      if (this.refill(accountId, now.getTime()).tokens >= EXPRESS_RECOVERED) this.heavySet.delete(accountId);
    return [...this.heavySet];
  }

  /** Whatever they still have waits for room: that they are silent meanwhile does not make them quiet. */
  refreshHeavy(now: Date): void {
    for (const accountId of this.heavySet) this.refuse(accountId, this.refill(accountId, now.getTime()));
  }

  /** What comes while an account is heavy keeps it heavy: a burst is not in a hurry again each tenth of a second. */
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
