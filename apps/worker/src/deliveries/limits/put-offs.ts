import { PAUSE_MS } from './limits.js';

export interface Outlook {
  /** Deliveries per second for which room is expected. */
  readonly perSecond: number;
  /** Maximum pause, whatever rate is expected. */
  readonly mostMs: number;
}

/** Spreads the deliveries of each key that are put off, so that they return one after the other. */
export class PutOffs {
  private readonly until = new Map<string, number>();

  /** Returns how long to put off the next delivery. */
  pauseMs(key: string, { perSecond, mostMs }: Outlook, now: number): number {
    const latest = now + mostMs;
    const next = Math.min(latest, Math.max(this.until.get(key) ?? 0, now + PAUSE_MS.least));
    this.until.set(key, Math.min(latest, next + 1000 / perSecond));
    return next - now;
  }

  forgetPast(now: number): void {
    for (const [key, until] of this.until) if (until < now) this.until.delete(key);
  }
}
