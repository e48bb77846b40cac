import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import type { QueueKind } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import {
  BULK_PER_SECOND_BESIDE_EXPRESS,
  BUSY_STEP_BESIDE_EXPRESS_MS,
  BUSY_STEP_MS,
  FIRST_CONCURRENCY,
  MIN_CONCURRENCY,
  MIN_CONCURRENCY_BESIDE_EXPRESS,
} from './limits.js';

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

const CONCURRENCY_FACTORS = { inUse: 0.9, shrink: 0.85, growSlowly: 1.1, grow: 1.3 };

/** Loading and recording cost per batch. Above the minimum concurrency, a group would not fit. */
const PACER_GROUP_SIZE = MIN_CONCURRENCY_BESIDE_EXPRESS;

export interface ConcurrencyInput {
  readonly current: number;
  readonly inFlight: number;
  /** Null without measurements. */
  readonly stepMs: number | null;
  readonly isMixed: boolean;
  readonly max: number;
}

/** Grows while receivers are the bottleneck, and shrinks while this process or PostgreSQL is. */
export function nextConcurrency({ current, inFlight, stepMs, isMixed, max }: ConcurrencyInput): number {
  const [busyMs, fewest] = isMixed
    ? [BUSY_STEP_BESIDE_EXPRESS_MS, MIN_CONCURRENCY_BESIDE_EXPRESS]
    : [BUSY_STEP_MS, MIN_CONCURRENCY];
  if (stepMs !== null && stepMs > busyMs)
    return Math.max(Math.min(fewest, max), Math.floor(current * CONCURRENCY_FACTORS.shrink));
  if (inFlight < current * CONCURRENCY_FACTORS.inUse) return current;
  const growth = stepMs !== null && stepMs > busyMs / 2 ? CONCURRENCY_FACTORS.growSlowly : CONCURRENCY_FACTORS.grow;
  return Math.min(max, Math.ceil(current * growth));
}

export class BulkPacer {
  private readonly everyMs: number;
  private left = 0;
  private nextAt = 0;

  constructor(perSecond: number) {
    this.everyMs = (PACER_GROUP_SIZE / perSecond) * 1000;
  }

  /** Returns the milliseconds to wait. At 0 the delivery is counted. */
  acquire(now: number): number {
    if (this.left === 0 && now < this.nextAt) return this.nextAt - now;
    if (this.left === 0) this.startGroup(now);
    this.left -= 1;
    return 0;
  }

  /** A late timer does not delay the next group. */
  private startGroup(now: number): void {
    this.left = PACER_GROUP_SIZE;
    this.nextAt = Math.max(this.nextAt + this.everyMs, now);
  }
}
