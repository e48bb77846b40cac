import { INITIAL_RECEIVER_LIMIT, PROBE_RECEIVER_LIMIT, PROMPT_WITHIN_MS, SILENT_AFTER_MS } from './limits.js';

export interface LimiterBounds {
  readonly initial: number;
  readonly max: number;
  /** The limit after a time-out. */
  readonly lowered: (limit: number) => number;
}

/** For one webhook: after a time-out it gets a single probe. */
export const receiverBounds = (max: number): LimiterBounds => ({
  initial: INITIAL_RECEIVER_LIMIT,
  max,
  lowered: () => PROBE_RECEIVER_LIMIT,
});

/**
 * Limits the concurrent requests to one receiver. Each answer raises the limit by one, so a limit that is used fully
 * doubles with each round trip. A time-out lowers it, and the next answers raise it again.
 */
export class ReceiverLimiter {
  private limit: number;
  private lastAnsweredAt = 0;
  private readonly inFlight = new Set<{ readonly at: number }>();

  constructor(private readonly bounds: LimiterBounds) {
    this.limit = bounds.initial;
  }

  get isFull(): boolean {
    return !this.hasRoomBeside(0);
  }

  /** As `isFull`, but slow requests take no room from the others below the maximum. */
  isFullOfPrompt(now: number): boolean {
    const count = this.inFlight.size;
    return count >= this.bounds.max || (count >= this.limit && count - this.slowCount(now) >= this.limit);
  }

  /** `others` are about to start. */
  hasRoomBeside(others: number): boolean {
    return this.inFlight.size + others < Math.min(this.limit, this.bounds.max);
  }

  isSilent(now: number): boolean {
    const [oldest] = this.inFlight;
    return oldest !== undefined && now - Math.max(oldest.at, this.lastAnsweredAt) > SILENT_AFTER_MS;
  }

  /** Requests that have been out for longer than a prompt receiver takes. */
  slowCount(now: number): number {
    let count = 0;
    for (const { at } of this.inFlight) {
      if (now - at <= PROMPT_WITHIN_MS) break;
      count += 1;
    }
    return count;
  }

  start(now: number): { answered: (now: number) => void; timedOut: () => void; withdrawn: () => void } {
    const request = { at: now };
    this.inFlight.add(request);
    return {
      answered: (answeredAt) => {
        if (this.inFlight.size * 2 > this.limit) this.limit = Math.min(this.bounds.max, this.limit + 1);
        this.lastAnsweredAt = answeredAt;
        this.inFlight.delete(request);
      },
      timedOut: () => {
        this.limit = this.bounds.lowered(this.limit);
        this.inFlight.delete(request);
      },
      withdrawn: () => this.inFlight.delete(request),
    };
  }

  get isIdle(): boolean {
    return this.inFlight.size === 0;
  }

  /** No request is out, and a new limiter would start no higher. */
  get isDiscardable(): boolean {
    return this.inFlight.size === 0 && this.limit >= this.bounds.initial;
  }
}
