import type { Lane } from '#libs/webhooks';
import { nextConcurrency } from './concurrency.js';
import { BULK_A_SECOND_BESIDE_EXPRESS, Pace } from './pace.js';

/** However many receivers hang, memory stays bounded: this many requests may be out beyond the worker's concurrency. */
const LENT_AT_MOST = 2_000;

const MIXED_WITHIN_MS = 500;

/** Deliveries of the bulk that wait here, so that there is always a next one: a part of those in hand. */
const WAITING_SHARE = 0.25;

type Admit = (mayEnter: boolean) => void;

/**
 * Says how many deliveries may be in hand here: what this process handles promptly, and one for each that hangs. How
 * many of the prompt ones are bulk is learned; express is only bound by what the operator has set.
 */
export class Slots {
  private prompt: number;
  private lent = 0;
  private taken = 0;
  private isClosed = false;
  private own = { count: 0, ms: 0 };
  private readonly pace = new Pace(BULK_A_SECOND_BESIDE_EXPRESS);
  private paceTimer: NodeJS.Timeout | undefined;
  private readonly waiting: Readonly<Record<Lane, Admit[]>> = { express: [], bulk: [] };
  private readonly lastCame: Record<Lane, number> = { express: -MIXED_WITHIN_MS, bulk: -MIXED_WITHIN_MS };

  constructor(private readonly most: number) {
    this.prompt = Math.min(most, 100);
  }

  /** For one delivery, when it is its turn; false when nothing is begun any more. */
  enter(lane: Lane): Promise<boolean> {
    this.lastCame[lane] = performance.now();
    return new Promise((admit) => {
      this.waiting[lane].push(admit);
      this.admit();
    });
  }

  leave(): void {
    this.taken -= 1;
    this.admit();
  }

  close(): void {
    this.isClosed = true;
    this.admit();
  }

  /** Whether another job of the bulk should be taken from the queue: while something else waits, only for immediate use. */
  get wantsBulk(): boolean {
    const enough = this.isMixed() ? 1 : this.prompt * WAITING_SHARE;
    return this.waiting.bulk.length < enough;
  }

  /** What one delivery has spent in a step of ours, not with its receiver. */
  spent(ms: number): void {
    this.own.count += 1;
    this.own.ms += ms;
  }

  /** Called several times a second, with how many requests are out for longer than a prompt receiver takes. */
  adjust(slow: number): void {
    const { most, prompt: current } = this;
    const [stepMs, isMixed] = [this.stepMs(), this.isMixed()];
    this.prompt = nextConcurrency({ current, inHand: this.taken - slow, stepMs, isMixed, most });
    this.lent = Math.min(slow, LENT_AT_MOST);
    this.admit();
  }

  private admit(): void {
    const { express, bulk } = this.waiting;
    while (express.length > 0 && this.hasRoom(this.most)) this.letIn(express.shift());
    while (bulk.length > 0 && this.hasRoom(this.prompt) && this.isInPace()) this.letIn(bulk.shift());
  }

  private isInPace(): boolean {
    if (this.isClosed || !this.isMixed()) return true;
    const waitMs = this.pace.begin(performance.now());
    if (waitMs > 0) this.paceTimer ??= setTimeout(() => this.nextInPace(), waitMs).unref();
    return waitMs === 0;
  }

  private nextInPace(): void {
    this.paceTimer = undefined;
    this.admit();
  }

  private hasRoom(prompt: number): boolean {
    return this.isClosed || this.taken < prompt + this.lent;
  }

  private letIn(admit: Admit | undefined): void {
    if (!this.isClosed) this.taken += 1;
    admit?.(!this.isClosed);
  }

  private isMixed(): boolean {
    return performance.now() - Math.min(this.lastCame.express, this.lastCame.bulk) < MIXED_WITHIN_MS;
  }

  private stepMs(): number | null {
    const { count, ms } = this.own;
    this.own = { count: 0, ms: 0 };
    return count === 0 ? null : ms / count;
  }
}
