import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import type { QueueKind } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { nextConcurrency } from './concurrency.js';
import { BulkPacer } from './bulk-pacer.js';
import {
  BULK_PER_SECOND_BESIDE_EXPRESS,
  BULK_PREFETCH_SHARE,
  FIRST_CONCURRENCY,
  MAX_SLOW_REQUESTS,
  MIXED_TRAFFIC_MS,
} from './limits.js';

type ResolveTurn = (mayEnter: boolean) => void;

/**
 * Says how many deliveries may be in hand here: what this process handles promptly, and one for each that hangs. How
 * many of the prompt ones are bulk is learned; express is only bound by what the operator has set.
 */
@Injectable()
export class DeliverySlots {
  private readonly max: number;
  private promptLimit: number;
  private slowRequests = 0;
  private taken = 0;
  private isClosed = false;
  private stepTimes = { count: 0, ms: 0 };
  private readonly pace = new BulkPacer(BULK_PER_SECOND_BESIDE_EXPRESS);
  private paceTimer: NodeJS.Timeout | undefined;
  private readonly waiting: Readonly<Record<QueueKind, ResolveTurn[]>> = { express: [], bulk: [] };
  private readonly lastArrivedAt: Record<QueueKind, number> = { express: -MIXED_TRAFFIC_MS, bulk: -MIXED_TRAFFIC_MS };

  constructor(@Inject(SETTINGS_TOKEN) settings: Pick<Settings, 'WORKER_CONCURRENCY'>) {
    this.max = settings.WORKER_CONCURRENCY;
    this.promptLimit = Math.min(this.max, FIRST_CONCURRENCY);
  }

  /** For one delivery, when it is its turn; false when nothing is begun any more. */
  acquire(queueKind: QueueKind): Promise<boolean> {
    this.lastArrivedAt[queueKind] = performance.now();
    return new Promise((admit) => {
      this.waiting[queueKind].push(admit);
      this.admit();
    });
  }

  release(): void {
    this.taken -= 1;
    this.admit();
  }

  close(): void {
    this.isClosed = true;
    this.admit();
  }

  /** Whether another job of the bulk should be taken from the queue: while something else waits, only for immediate use. */
  get wantsBulk(): boolean {
    const enough = this.isMixed() ? 1 : this.promptLimit * BULK_PREFETCH_SHARE;
    return this.waiting.bulk.length < enough;
  }

  /** Does a step of our own: loading or recording, as against waiting for a receiver. */
  async timeStep<T>(step: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await step();
    this.stepTimes.count += 1;
    this.stepTimes.ms += performance.now() - startedAt;
    return result;
  }

  /** Called several times a second, with how many requests are out for longer than a prompt receiver takes. */
  adjust(slow: number): void {
    const { max, promptLimit: current } = this;
    const [stepMs, isMixed] = [this.stepMs(), this.isMixed()];
    this.promptLimit = nextConcurrency({ current, inFlight: this.taken - slow, stepMs, isMixed, max });
    this.slowRequests = Math.min(slow, MAX_SLOW_REQUESTS);
    this.admit();
  }

  private admit(): void {
    const { express, bulk } = this.waiting;
    while (express.length > 0 && this.hasRoom(this.max)) this.admitOne(express.shift());
    while (bulk.length > 0 && this.hasRoom(this.promptLimit) && this.isWithinPace()) this.admitOne(bulk.shift());
  }

  private isWithinPace(): boolean {
    if (this.isClosed || !this.isMixed()) return true;
    const waitMs = this.pace.acquire(performance.now());
    if (waitMs > 0) this.paceTimer ??= setTimeout(() => this.continuePaced(), waitMs).unref();
    return waitMs === 0;
  }

  private continuePaced(): void {
    this.paceTimer = undefined;
    this.admit();
  }

  private hasRoom(prompt: number): boolean {
    return this.isClosed || this.taken < prompt + this.slowRequests;
  }

  private admitOne(admit: ResolveTurn | undefined): void {
    if (!this.isClosed) this.taken += 1;
    admit?.(!this.isClosed);
  }

  private isMixed(): boolean {
    return performance.now() - Math.min(this.lastArrivedAt.express, this.lastArrivedAt.bulk) < MIXED_TRAFFIC_MS;
  }

  private stepMs(): number | null {
    const { count, ms } = this.stepTimes;
    this.stepTimes = { count: 0, ms: 0 };
    return count === 0 ? null : ms / count;
  }
}
