/** Deliveries of an account at once. More, and a burst delays the events of others. */
export const BURST = 50;

/** Less, and the steady traffic of an account goes through the relay, which takes longer. */
const BURST_REFILL_PER_SECOND = 250;

const REFILL_MS = (BURST / BURST_REFILL_PER_SECOND) * 1_000;

/** More deliveries of an event cost this much less than the first: they share its load and its record. */
const DELIVERIES_PER_EVENT = 10;

export const costOf = ({ events, deliveries }: { readonly events: number; readonly deliveries: number }): number =>
  events + (deliveries - events) / DELIVERIES_PER_EVENT;

interface Bucket {
  readonly tokens: number;
  readonly refilledAt: number;
}

/**
 * A token bucket for each account. Events beyond it are spent too, down to a debt of a burst, so an account that sends
 * faster than its allowance stays without, and its events wait their turn in the outbox.
 */
export class ExpressAllowance {
  /** By the time of their last refill. A bucket that is missing is full. */
  private readonly buckets = new Map<string, Bucket>();

  /** Returns whether the allowance was enough. A negative cost is given back. */
  spend(accountId: string, cost: number, now: number): boolean {
    this.forgetFull(now);
    const available = this.availableTo(accountId, now);
    this.buckets.delete(accountId);
    this.buckets.set(accountId, { tokens: Math.max(-BURST, available - cost), refilledAt: now });
    return available >= cost;
  }

  /** Returns the accounts without allowance. They stay without while this is called before a burst is refilled. */
  spendExhausted(now: number): string[] {
    const found = [...this.buckets.keys()].filter((accountId) => this.availableTo(accountId, now) < 1);
    for (const accountId of found) this.spend(accountId, BURST, now);
    return found;
  }

  private availableTo(accountId: string, now: number): number {
    const { tokens, refilledAt } = this.buckets.get(accountId) ?? { tokens: BURST, refilledAt: now };
    return Math.min(BURST, tokens + (now - refilledAt) * (BURST / REFILL_MS));
  }

  private forgetFull(now: number): void {
    for (const [accountId, { refilledAt }] of this.buckets) {
      if (now - refilledAt < 2 * REFILL_MS) return;
      this.buckets.delete(accountId);
    }
  }
}
