import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { DeliverySlots } from './delivery-slots.js';
import { ReceiverLimiter } from './receiver-limiter.js';
import { SlowReceivers } from './slow-receivers.js';
import { RECEIVER_CHECK_MS } from './limits.js';

/** The right to send one request. Exactly one of its functions is called when the request ends. */
export interface Permit {
  /** The request ended before its deadline, with an answer or an error. */
  readonly answered: () => void;
  /** The receiver let the deadline pass. */
  readonly timedOut: () => void;
  /** This process gave the request up, which says nothing about the receiver. */
  readonly abandoned: () => void;
}

interface LimiterEntry {
  readonly limiter: ReceiverLimiter;
  readonly waiting: ((permit: Permit | null) => void)[];
}

/**
 * Keeps receivers apart within one process. A delivery waits while its receiver has no permit left but still answers. If
 * the receiver falls silent, the waiting deliveries get null and are owed again.
 *
 * A request holds a slot only for half a second. After that the worker takes another delivery in its place, so receivers
 * that hang cost sockets but delay nobody.
 */
@Injectable()
export class ReceiverLimiters {
  private readonly entries = new Map<string, LimiterEntry>();
  private readonly timer = setInterval(() => this.checkReceivers(), RECEIVER_CHECK_MS).unref();
  private checkedAt = performance.now();

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Pick<Settings, 'WORKER_CONCURRENCY'>,
    @Inject(DeliverySlots) private readonly slots: Pick<DeliverySlots, 'adjust'>,
    @Inject(SlowReceivers) private readonly slowReceivers: Pick<SlowReceivers, 'mark'>,
  ) {}

  acquire(webhookId: string): Promise<Permit | null> {
    const entry = this.entryOf(webhookId);
    const now = performance.now();
    if (!entry.limiter.isFull) return Promise.resolve(this.newPermit(entry, now));
    if (entry.limiter.isSilent(now)) return Promise.resolve(null);
    return new Promise((resolve) => entry.waiting.push(resolve));
  }

  close(): void {
    clearInterval(this.timer);
    for (const entry of this.entries.values()) refuseWaiting(entry);
  }

  private entryOf(webhookId: string): LimiterEntry {
    const known = this.entries.get(webhookId);
    if (known) return known;
    const entry = { limiter: new ReceiverLimiter(this.settings.WORKER_CONCURRENCY), waiting: [] };
    this.entries.set(webhookId, entry);
    return entry;
  }

  private newPermit(entry: LimiterEntry, now: number): Permit {
    const request = entry.limiter.start(now);
    const afterwards = (end: () => void) => () => {
      end();
      this.admitWaiting(entry);
    };
    return {
      answered: afterwards(() => request.answered(performance.now())),
      timedOut: afterwards(request.timedOut),
      abandoned: afterwards(request.withdrawn),
    };
  }

  private admitWaiting(entry: LimiterEntry): void {
    while (entry.waiting.length > 0 && !entry.limiter.isFull)
      entry.waiting.shift()!(this.newPermit(entry, performance.now()));
  }

  private checkReceivers(): void {
    const now = performance.now();
    // After a stall of this process, answers may be waiting unread, so no receiver counts as silent.
    const wasStalled = now - this.checkedAt > 3 * RECEIVER_CHECK_MS;
    this.checkedAt = now;
    let slow = 0;
    for (const [webhookId, entry] of this.entries) {
      if (!wasStalled && entry.waiting.length > 0 && entry.limiter.isSilent(now)) {
        refuseWaiting(entry);
        this.slowReceivers.mark(webhookId);
      }
      slow += entry.limiter.slowCount(now);
      if (entry.limiter.isDiscardable && entry.waiting.length === 0) this.entries.delete(webhookId);
    }
    this.slots.adjust(slow);
  }
}

function refuseWaiting({ waiting }: LimiterEntry): void {
  for (const resolve of waiting.splice(0)) resolve(null);
}
