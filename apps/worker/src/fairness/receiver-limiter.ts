/** Requests a receiver gets at once before it has answered any: few, because it may not answer at all. */
const FIRST_WIDTH = 8;
const PROBE_WIDTH = 1;

/** A request that is out for longer than this gives its slot back; see Lanes. */
const PROMPT_MS = 500;
/** Nothing heard for so long, with requests out, is silence. */
const SILENT_MS = 1_000;

/**
 * How many requests may be out to one receiver at once, learned from how it answers: each answer widens the lane by
 * one, so that it doubles each round trip for as long as it is used to the full; a time-out narrows it to a probe, from
 * which the next answers let it grow again. What it never does is stay wide for a receiver that has fallen silent.
 */
export class ReceiverLane {
  private width = FIRST_WIDTH;
  private heardAt = 0;
  private readonly out = new Set<{ readonly at: number }>();

  constructor(private readonly widest: number) {}

  get isFull(): boolean {
    return this.out.size >= this.width;
  }

  isSilent(now: number): boolean {
    const [oldest] = this.out;
    return oldest !== undefined && now - Math.max(oldest.at, this.heardAt) > SILENT_MS;
  }

  /** Requests out for longer than a prompt receiver takes. */
  slowCount(now: number): number {
    let count = 0;
    for (const { at } of this.out) {
      if (now - at <= PROMPT_MS) break;
      count += 1;
    }
    return count;
  }

  start(now: number): { answered: (now: number) => void; timedOut: () => void; withdrawn: () => void } {
    const request = { at: now };
    this.out.add(request);
    return {
      answered: (answeredAt) => {
        if (this.out.size * 2 > this.width) this.width = Math.min(this.widest, this.width + 1);
        this.heardAt = answeredAt;
        this.out.delete(request);
      },
      timedOut: () => {
        this.width = PROBE_WIDTH;
        this.out.delete(request);
      },
      withdrawn: () => this.out.delete(request),
    };
  }

  /** Nothing is out, and nothing was learned that a new lane would not assume. */
  get isForgettable(): boolean {
    return this.out.size === 0 && this.width >= FIRST_WIDTH;
  }
}
