import { MIN_PATIENCE_MS } from './answer-times.js';

/** Spreads the deliveries of a lane that return, so that each finds room. */
export class LanePauses {
  private readonly pausedUntil = new Map<string, number>();

  next(
    lane: string,
    now: number,
    { perSecond, maxMs }: { readonly perSecond: number; readonly maxMs: number },
  ): number {
    const latest = now + maxMs;
    const until = Math.min(latest, Math.max(this.pausedUntil.get(lane) ?? 0, now + MIN_PATIENCE_MS));
    this.pausedUntil.set(lane, Math.min(latest, until + 1_000 / perSecond));
    return until - now;
  }

  forgetPast(now: number): void {
    for (const [lane, until] of this.pausedUntil) if (until < now) this.pausedUntil.delete(lane);
  }
}
