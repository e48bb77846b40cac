import {
  INITIAL_RECEIVER_LIMIT,
  LIMITER_FORGOTTEN_AFTER_MS,
  PAUSE_MS,
  PROBE_RECEIVER_LIMIT,
  PROMPT_WITHIN_MS,
  SILENT_AFTER_MS,
} from './limits.js';

/** Share of the last response in the average. */
const ANSWER_TIME_WEIGHT = 1 / 8;

/** A request fails by an error before its deadline or by a bad status. An abandoned one says nothing about the receiver. */
export type RequestEnd = 'accepted' | 'failed' | 'timed_out' | 'abandoned';

export interface LimiterBounds {
  readonly initial: number;
  readonly max: number;
  readonly lowered: (limit: number) => number;
}

export const receiverBounds = (max: number): LimiterBounds => ({
  initial: INITIAL_RECEIVER_LIMIT,
  max,
  lowered: () => PROBE_RECEIVER_LIMIT,
});

/** Each response raises the limit by one, which doubles a limit in full use per round trip. A time-out lowers it. */
export class ReceiverLimiter {
  private limit: number;
  private lastAnsweredAt = 0;
  /** Null before a response and after a time-out. */
  private answerMs: number | null = null;
  private readonly inFlight = new Set<{ readonly at: number }>();

  constructor(private readonly bounds: LimiterBounds) {
    this.limit = bounds.initial;
  }

  get isFull(): boolean {
    return !this.hasRoomBeside(0);
  }

  /** Hanging requests take no room below the maximum. */
  isFullOfAnswered(now: number): boolean {
    const count = this.inFlight.size;
    if (count >= this.bounds.max) return true;
    return count >= this.limit && count - this.countOlderThan(this.patienceMs(PROMPT_WITHIN_MS), now) >= this.limit;
  }

  get isAtMax(): boolean {
    return this.limit >= this.bounds.max;
  }

  hasRoomBeside(others: number): boolean {
    return this.inFlight.size + others < Math.min(this.limit, this.bounds.max);
  }

  isSilent(now: number): boolean {
    return this.silentMs(now) > this.patienceMs(SILENT_AFTER_MS);
  }

  /** Slow receivers must not count as dead. */
  patienceMs(minMs: number): number {
    return Math.max(minMs, 2 * (this.answerMs ?? 0));
  }

  perSecond(now: number): number {
    const roundTripMs = Math.max(this.answerMs ?? SILENT_AFTER_MS, this.silentMs(now), 1);
    return (Math.min(2 * this.limit, this.bounds.max) * 1000) / roundTripMs;
  }

  /** A receiver that has never answered may be fast. */
  hasRoomToWait(waiting: number, now: number): boolean {
    return this.answerMs === null || waiting * 1000 < this.perSecond(now) * PROMPT_WITHIN_MS;
  }

  slowCount(now: number): number {
    return this.countOlderThan(PROMPT_WITHIN_MS, now);
  }

  /** Returns the function that ends the request. */
  start(now: number): (end: RequestEnd, endedAt: number) => void {
    const request = { at: now };
    this.inFlight.add(request);
    return (end, endedAt) => {
      if (end === 'accepted' || end === 'failed') this.noteAnswer(endedAt, endedAt - now);
      if (end === 'timed_out') {
        this.limit = this.bounds.lowered(this.limit);
        this.answerMs = null;
      }
      this.inFlight.delete(request);
    };
  }

  private noteAnswer(answeredAt: number, tookMs: number): void {
    if (this.inFlight.size * 2 > this.limit) this.limit = Math.min(this.bounds.max, this.limit + 1);
    this.lastAnsweredAt = answeredAt;
    this.answerMs = tookMs * ANSWER_TIME_WEIGHT + (this.answerMs ?? tookMs) * (1 - ANSWER_TIME_WEIGHT);
  }

  get isIdle(): boolean {
    return this.inFlight.size === 0;
  }

  isDiscardable(now: number): boolean {
    if (this.inFlight.size > 0 || this.limit < this.bounds.initial) return false;
    return this.limit === this.bounds.initial || now - this.lastAnsweredAt > LIMITER_FORGOTTEN_AFTER_MS;
  }

  private silentMs(now: number): number {
    const [oldest] = this.inFlight;
    return oldest === undefined ? 0 : now - Math.max(oldest.at, this.lastAnsweredAt);
  }

  private countOlderThan(ms: number, now: number): number {
    let count = 0;
    for (const { at } of this.inFlight) {
      if (now - at <= ms) break;
      count += 1;
    }
    return count;
  }
}

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
