interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

interface FairQueueOptions {
  /** Jobs that run at the same time. */
  readonly atOnce: number;
  /** Jobs that may wait, of all lanes together. */
  readonly mostWaiting: number;
  /** What a job is refused with for which there is no room. */
  readonly refusal: () => Error;
}

/**
 * Runs a few jobs at once. The others wait in lanes, and the lanes take turns, so that somebody with one job waits for
 * one job of each other lane, however many jobs those have.
 */
export class FairQueue {
  /** In the order of their turns. No lane is empty. */
  private readonly lanes = new Map<string, Waiting[]>();
  private running = 0;
  private waiting = 0;
  private refused = 0;

  constructor(private readonly options: FairQueueOptions) {}

  /** What waits now, and what was refused since the process started. */
  get counts(): { readonly waiting: number; readonly refused: number } {
    return { waiting: this.waiting, refused: this.refused };
  }

  async run<T>(lane: string, job: () => Promise<T>): Promise<T> {
    await this.turn(lane);
    try {
      return await job();
    } finally {
      this.running -= 1;
      this.startNext();
    }
  }

  private turn(lane: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => {
        this.refused += 1;
        reject(this.options.refusal());
      };
      if (this.waiting >= this.options.mostWaiting && !this.makeRoomFor(lane)) return refuse();
      this.lanes.set(lane, [...(this.lanes.get(lane) ?? []), { start: resolve, refuse }]);
      this.waiting += 1;
      this.startNext();
    });
  }

  private startNext(): void {
    const [next] = this.lanes;
    if (!next || this.running >= this.options.atOnce) return;
    const [lane, [first, ...others]] = next;
    this.lanes.delete(lane);
    if (others.length > 0) this.lanes.set(lane, others);
    this.waiting -= 1;
    this.running += 1;
    first!.start();
  }

  /** The last of the longest lane goes, unless this lane would then be the longest. */
  private makeRoomFor(lane: string): boolean {
    const own = this.lanes.get(lane)?.length ?? 0;
    const [longest, jobs] = [...this.lanes].reduce((one, other) => (other[1].length > one[1].length ? other : one));
    if (jobs.length <= own + 1) return false;
    this.lanes.set(longest, jobs.slice(0, -1));
    this.waiting -= 1;
    jobs.at(-1)!.refuse();
    return true;
  }
}
