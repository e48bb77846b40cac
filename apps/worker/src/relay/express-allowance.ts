interface Bucket {
  left: number;
  at: number;
}

const REFILLED_PER_SECOND = 200;
const LARGEST = 200;
const REMEMBERED_ACCOUNTS = 10_000;

/** How many deliveries of each account may travel express: a bucket that refills, so a burst of one is soon bulk. */
export class ExpressAllowance {
  private readonly buckets = new Map<string, Bucket>();

  take(accountId: string, now: Date): boolean {
    const bucket = this.bucket(accountId, now.getTime());
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  private bucket(accountId: string, now: number): Bucket {
    const known = this.buckets.get(accountId);
    if (!known) return this.open(accountId, now);
    const refilled = (Math.max(0, now - known.at) / 1000) * REFILLED_PER_SECOND;
    known.left = Math.min(LARGEST, known.left + refilled);
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
