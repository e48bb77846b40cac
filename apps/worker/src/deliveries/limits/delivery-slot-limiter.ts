import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import type { QueueKind } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { BulkPacer, nextConcurrency } from './bulk-rate.js';
import { BULK_PER_SECOND_BESIDE_EXPRESS, FIRST_CONCURRENCY } from './limits.js';

/** Shorter, limits toggle between single events. */
const MIXED_TRAFFIC_MS = 500;

/** Share of the concurrency. Without it, slots idle between jobs. */
const BULK_PREFETCH_SHARE = 0.25;

/** Without it, hanging receivers exhaust memory. */
const MAX_SLOW_REQUESTS = 2_000;

type ResolveTurn = (mayEnter: boolean) => void;

/** A request that hangs frees its slot. The limit for bulk adapts; express has only that of the operator. */
@Injectable()
export class DeliverySlotLimiter {
  readonly max: number;
  private promptLimit: number;
  private slowRequests = 0;
  private lent = 0;
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

  /** False when the worker stops. */
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

  lend(): void {
    this.lent += 1;
    this.admit();
  }

  takeBack(): void {
    this.lent -= 1;
  }

  close(): void {
    this.isClosed = true;
    this.admit();
  }

  /** Beside express, only if no bulk delivery waits here. */
  get wantsBulk(): boolean {
    const enough = this.isMixed() ? 1 : this.promptLimit * BULK_PREFETCH_SHARE;
    return this.waiting.bulk.length < enough;
  }

  async timeStep<T>(step: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await step();
    this.stepTimes.count += 1;
    this.stepTimes.ms += performance.now() - startedAt;
    return result;
  }

  adjust(slow: number): void {
    const { max, promptLimit: current } = this;
    const [stepMs, isMixed] = [this.stepMs(), this.isMixed()];
    this.promptLimit = nextConcurrency({ current, inFlight: this.taken - slow - this.lent, stepMs, isMixed, max });
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
    return this.isClosed || this.taken < prompt + this.slowRequests + this.lent;
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
