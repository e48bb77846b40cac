import { FairLanes } from './fair-lanes.js';

/** Lanes take turns, so a caller with one job waits for at most one of each other lane. */
export class FairQueue {
  private readonly waiting = new FairLanes<{ start: () => void; refuse: () => void }>();
  private running = 0;
  private refused = 0;

  constructor(private readonly options: { maxConcurrent: number; maxWaiting: number; newRefusal: () => Error }) {}

  get counts(): { readonly waiting: number; readonly refused: number } {
    return { waiting: this.waiting.size, refused: this.refused };
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
    return new Promise((start, reject) => {
      const refuse = () => {
        this.refused += 1;
        reject(this.options.newRefusal());
      };
      if (this.waiting.size >= this.options.maxWaiting) {
        const removed = this.waiting.makeRoomFor(lane);
        if (!removed) return refuse();
        removed.refuse();
      }
      this.waiting.push(lane, { start, refuse });
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.running >= this.options.maxConcurrent) return;
    const next = this.waiting.shift();
    if (!next) return;
    this.running += 1;
    next.start();
  }
}
