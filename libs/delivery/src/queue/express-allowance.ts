/** Deliveries of an account at once. With more, a burst would delay the events of others. */
export const BURST = 50;

/** With less, the steady traffic of an account would go through the relay, which takes longer. */
const BURST_REFILL_PER_SECOND = 250;

const TOKEN_MS = 1_000 / BURST_REFILL_PER_SECOND;
const REFILL_MS = BURST * TOKEN_MS;

/** More deliveries of an event cost this much less than the first: they share its load and its record. */
const DELIVERIES_PER_EVENT = 10;

export const costOf = ({ events, deliveries }: { readonly events: number; readonly deliveries: number }): number =>
  events + (deliveries - events) / DELIVERIES_PER_EVENT;

/**
 * A token bucket for each account. Events beyond it are spent too, down to a debt of a burst, so an account that sends
 * faster than its allowance stays without, and its events wait their turn in the outbox.
 */
export class ExpressAllowance {
  /** When the buckets will be full, by the time of their last use. A bucket that is missing is full. */
  private readonly fullAt = new Map<string, number>();

  /** Returns whether the allowance was enough. A negative cost is given back. */
  spend(accountId: string, cost: number, now: number): boolean {
    this.forgetFull(now);
    const fullAt = Math.max(now, this.fullAt.get(accountId) ?? now) + cost * TOKEN_MS;
    this.fullAt.delete(accountId);
    this.fullAt.set(accountId, Math.min(now + 2 * REFILL_MS, fullAt));
    return fullAt <= now + REFILL_MS;
  }

  /** Returns the accounts without allowance. They stay without while this is called before a burst is refilled. */
  spendExhausted(now: number): string[] {
    const found = [...this.fullAt.keys()].filter((id) => this.fullAt.get(id)! > now + REFILL_MS - TOKEN_MS);
    for (const accountId of found) this.spend(accountId, BURST, now);
    return found;
  }

  private forgetFull(now: number): void {
    for (const [accountId, fullAt] of this.fullAt) {
      if (fullAt > now) return;
      this.fullAt.delete(accountId);
    }
  }
}
