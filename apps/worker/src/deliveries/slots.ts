import type { BullWorker, Lane } from '#libs/webhooks';
import type { InHand } from '../queue/in-hand.js';
import { nextConcurrency } from './concurrency.js';

/** However many receivers hang, memory stays bounded: this many requests may be out beyond the worker's concurrency. */
const LENT_AT_MOST = 2_000;

const MIXED_WITHIN_MS = 1_000;

/** Says how many jobs may be active here: what this process handles promptly, and one for each that hangs. */
export class Slots {
  private worker: BullWorker | undefined;
  private prompt: number;
  private own = { count: 0, ms: 0 };
  private readonly lastBegan: Record<Lane, number> = { express: -MIXED_WITHIN_MS, bulk: -MIXED_WITHIN_MS };

  constructor(
    private readonly most: number,
    private readonly inHand: InHand,
  ) {
    this.prompt = Math.min(most, 100);
  }

  lendTo(worker: BullWorker): void {
    this.worker = worker;
  }

  takeBack(): void {
    this.worker = undefined;
  }

  began(lane: Lane): void {
    this.lastBegan[lane] = performance.now();
  }

  /** What one delivery has spent in a step of ours, not with its receiver. */
  spent(ms: number): void {
    this.own.count += 1;
    this.own.ms += ms;
  }

  /** Called several times a second, with how many requests are out for longer than a prompt receiver takes. */
  adjust(slow: number): void {
    const worker = this.worker;
    if (!worker) return;
    const inHand = this.inHand.count;
    const { most, prompt: current } = this;
    const [stepMs, isMixed] = [this.stepMs(), this.isMixed()];
    this.prompt = nextConcurrency({ current, inHand: inHand - slow, stepMs, isMixed, most });
    const wasFull = inHand >= worker.concurrency;
    worker.concurrency = this.prompt + Math.min(slow, LENT_AT_MOST);
    // BullMQ looks at its concurrency when a job ends; while all of them hang, it must be called.
    if (wasFull && inHand < worker.concurrency) void worker.pause(true).then(() => this.worker?.resume());
  }

  private isMixed(): boolean {
    return performance.now() - Math.min(this.lastBegan.express, this.lastBegan.bulk) < MIXED_WITHIN_MS;
  }

  private stepMs(): number | null {
    const { count, ms } = this.own;
    this.own = { count: 0, ms: 0 };
    return count === 0 ? null : ms / count;
  }
}
