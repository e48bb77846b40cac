import { PAUSE_MS } from './limits.js';

export interface Outlook {
  readonly perSecond: number;
  readonly maxMs: number;
}

/** Spreads postponed deliveries, so that they return one by one. */
export class PauseSpreader {
  private readonly until = new Map<string, number>();

  pauseMs(key: string, { perSecond, maxMs }: Outlook, now: number): number {
    const latest = now + maxMs;
    const next = Math.min(latest, Math.max(this.until.get(key) ?? 0, now + PAUSE_MS.min));
    this.until.set(key, Math.min(latest, next + 1000 / perSecond));
    return next - now;
  }

  forgetPast(now: number): void {
    for (const [key, until] of this.until) if (until < now) this.until.delete(key);
  }
}
