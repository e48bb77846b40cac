interface Bucket {
  left: number;
  at: number;
}

const REFILLED_PER_SECOND = 200;
const LARGEST = 50;
/** An account that has spent all is heavy until it has been quiet for as long as this much takes to come back. */
const RECOVERED = 25;
const REMEMBERED_ACCOUNTS = 10_000;

/** How many deliveries of each account may travel express: a bucket that refills, so a burst is soon bulk. */
export class ExpressAllowance {
  private readonly buckets = new Map<string, Bucket>();
  private readonly spent = new Set<string>();

  /** All of them or none. Who has more at once than what is left bursts, and is in no hurry with any of it. */
  take(accountId: string, count: number, now: Date): boolean {
    const bucket = this.refilled(accountId, now.getTime());
    const isHeavy = this.spent.has(accountId) && bucket.left < RECOVERED;
    if (isHeavy || bucket.left < count) return this.refuse(accountId, bucket);
    this.spent.delete(accountId);
    bucket.left -= count;
    return true;
  }

  /** Accounts that have used up what they had. */
  heavy(now: Date): string[] {
    for (const accountId of this.spent)
      if (this.refilled(accountId, now.getTime()).left >= RECOVERED) this.spent.delete(accountId);
    return [...this.spent];
  }

  /** Whatever they still have waits for room: that they are silent meanwhile does not make them quiet. */
  keepHeavy(now: Date): void {
    for (const accountId of this.spent) this.refuse(accountId, this.refilled(accountId, now.getTime()));
  }

  /** What comes while an account is heavy keeps it heavy: a burst is not in a hurry again each tenth of a second. */
  private refuse(accountId: string, bucket: Bucket): false {
    this.spent.add(accountId);
    bucket.left = 0;
    return false;
  }

  private refilled(accountId: string, now: number): Bucket {
    const known = this.buckets.get(accountId) ?? this.open(accountId, now);
    const refill = (Math.max(0, now - known.at) / 1000) * REFILLED_PER_SECOND;
    known.left = Math.min(LARGEST, known.left + refill);
    known.at = now;
    return known;
  }

  /** The account heard of first makes room: forgetting it only gives it a full bucket again. */
  private open(accountId: string, now: number): Bucket {
    const [first] = this.buckets.keys();
    if (this.buckets.size >= REMEMBERED_ACCOUNTS && first !== undefined) this.buckets.delete(first);
    const bucket = { left: LARGEST, at: now };
    this.buckets.set(accountId, bucket);
    return bucket;
  }
}
