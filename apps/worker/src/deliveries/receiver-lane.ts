/** Requests a receiver gets at once before it has answered any: few, because it may not answer at all. */
const FIRST_WIDTH = 8;
const PROBE_WIDTH = 1;

/** A request that is out for longer than this no longer counts as prompt; see Lanes. */
export const PROMPT_MS = 500;

/**
 * How many requests may be out to one receiver at once, learned from how it answers: each answer widens the lane by
 * one, so that it doubles each round trip for as long as it is used to the full; a time-out narrows it to a probe, from
 * which the first answer lets it grow again. What it never does is stay wide for a receiver that has fallen silent.
 */
export class ReceiverLane {
  private width = FIRST_WIDTH;
  private readonly startedAt = new Set<{ readonly at: number }>();

  constructor(private readonly widest: number) {}

  get inFlight(): number {
    return this.startedAt.size;
  }

  get isFull(): boolean {
    return this.startedAt.size >= this.width;
  }

  /** Nothing has come back for a while, from the first of those that are out. */
  isSilent(now: number): boolean {
    const [oldest] = this.startedAt;
    return oldest !== undefined && now - oldest.at > PROMPT_MS;
  }

  /** Requests out for longer than a prompt receiver takes. */
  slowCount(now: number): number {
    let count = 0;
    for (const { at } of this.startedAt) {
      if (now - at <= PROMPT_MS) break;
      count += 1;
    }
    return count;
  }

  start(now: number): { answered: () => void; timedOut: () => void } {
    const request = { at: now };
    this.startedAt.add(request);
    return {
      answered: () => {
        if (this.startedAt.size * 2 > this.width) this.width = Math.min(this.widest, this.width + 1);
        this.startedAt.delete(request);
      },
      timedOut: () => {
        this.width = PROBE_WIDTH;
        this.startedAt.delete(request);
      },
    };
  }

  /** Nothing is out and nothing was learned that a new lane would not know. */
  get isIdle(): boolean {
    return this.startedAt.size === 0 && this.width >= FIRST_WIDTH;
  }
}
