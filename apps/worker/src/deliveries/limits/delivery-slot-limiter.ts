import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { MAX_QUEUED, type QueueKind } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { availableCores } from '../../available-cores.js';

/** If longer, receivers that hang use up all slots. */
export const PROMPT_WITHIN_MS = 500;

/** If longer, bulk starts in larger groups, for which express waits, and a full queue is checked later. */
export const TICK_MS = 20;

/** If higher, express waits for CPU time. */
export const BULK_PER_SECOND_BESIDE_EXPRESS = 400 * availableCores();

/** If higher, bulk floods a busy PostgreSQL, and express waits. If lower, bulk to slow receivers starves. */
const MAX_BULK_BESIDE_EXPRESS = BULK_PER_SECOND_BESIDE_EXPRESS / 10;

/** If higher, express waits for a slot while bulk waits for receivers that hang. */
const MAX_BULK_SHARE = 9 / 10;

/** If shorter, bulk floods a busy worker between two express deliveries. If longer, it stays slow without reason. */
const EXPRESS_RECENT_MS = 4 * PROMPT_WITHIN_MS;

/** As many as the queue holds for a worker. If higher, hanging receivers exhaust memory. */
const MAX_SLOW_DELIVERIES = MAX_QUEUED;

const PROMPT_TICKS = PROMPT_WITHIN_MS / TICK_MS;
const RECENT_TICKS = EXPRESS_RECENT_MS / TICK_MS;
const BULK_PER_TICK = (BULK_PER_SECOND_BESIDE_EXPRESS * TICK_MS) / 1_000;

export interface Slot {
  readonly queueKind: QueueKind;
  readonly tick: number;
}

type Admit = (slot: Slot | null) => void;

/**
 * Limits the deliveries that the process works on. Each counts for half a second, so those that wait for a slow
 * receiver take no room from others. Ages are counted in ticks: after a stall of the process nothing is slow.
 */
@Injectable()
export class DeliverySlotLimiter {
  readonly max: number;
  private tick = 0;
  private bulkThisTick = 0;
  private lastExpressTick = -RECENT_TICKS;
  private readonly slow = new Set<Slot>();
  private isClosed = false;
  private readonly prompt: Readonly<Record<QueueKind, Set<Slot>>> = { express: new Set(), bulk: new Set() };
  private readonly waiting: Readonly<Record<QueueKind, Admit[]>> = { express: [], bulk: [] };
  /** Runs until nothing is left to age. */
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(SETTINGS_TOKEN) settings: Pick<Settings, 'WORKER_CONCURRENCY'>) {
    this.max = settings.WORKER_CONCURRENCY;
  }

  /** Null when the worker stops. */
  acquire(queueKind: QueueKind): Promise<Slot | null> {
    this.timer ??= setInterval(() => this.nextTick(), TICK_MS).unref();
    if (queueKind === 'express') this.lastExpressTick = this.tick;
    return new Promise((admit) => {
      this.waiting[queueKind].push(admit);
      this.admitWaiting();
    });
  }

  /** May be called again. */
  release(slot: Slot): void {
    if (this.prompt[slot.queueKind].delete(slot) || this.slow.delete(slot)) this.admitWaiting();
  }

  /** More would wait here while other workers are idle. */
  get wantsBulk(): boolean {
    return this.waiting.bulk.length === 0;
  }

  get taken(): number {
    return this.prompt.express.size + this.prompt.bulk.size + this.slow.size;
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const waiting of Object.values(this.waiting)) for (const admit of waiting.splice(0)) admit(null);
  }

  private nextTick(): void {
    this.tick += 1;
    this.bulkThisTick = 0;
    for (const slots of Object.values(this.prompt)) this.letAge(slots);
    this.admitWaiting();
    const { express, bulk } = this.prompt;
    if (express.size + bulk.size + this.waiting.bulk.length > 0 || this.isBesideExpress) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private letAge(slots: Set<Slot>): void {
    for (const slot of slots) {
      if (this.tick - slot.tick < PROMPT_TICKS) return;
      slots.delete(slot);
      this.slow.add(slot);
    }
  }

  private admitWaiting(): void {
    if (this.isClosed) return this.close();
    const { express, bulk } = this.waiting;
    while (express.length > 0 && this.hasRoom) this.admit('express');
    while (bulk.length > 0 && this.hasRoom && this.hasRoomForBulk) this.admit('bulk');
  }

  private admit(queueKind: QueueKind): void {
    const slot = { queueKind, tick: this.tick };
    this.prompt[queueKind].add(slot);
    if (queueKind === 'bulk') this.bulkThisTick += 1;
    this.waiting[queueKind].shift()!(slot);
  }

  private get hasRoom(): boolean {
    const { express, bulk } = this.prompt;
    return express.size + bulk.size + Math.max(0, this.slow.size - MAX_SLOW_DELIVERIES) < this.max;
  }

  private get isBesideExpress(): boolean {
    return this.tick - this.lastExpressTick < RECENT_TICKS;
  }

  private get hasRoomForBulk(): boolean {
    if (this.isBesideExpress && this.bulkThisTick >= BULK_PER_TICK) return false;
    const most = Math.max(1, Math.floor(this.max * MAX_BULK_SHARE));
    return this.prompt.bulk.size < (this.isBesideExpress ? Math.min(most, MAX_BULK_BESIDE_EXPRESS) : most);
  }
}
