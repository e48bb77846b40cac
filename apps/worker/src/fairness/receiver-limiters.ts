import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { DeliverySlots } from './delivery-slots.js';
import { ReceiverLimiter } from './receiver-limiter.js';
import { SlowReceivers } from './slow-receivers.js';
import { RECEIVER_CHECK_MS } from './limits.js';

/** The right to have one request out. One of its functions is called when that is over. */
export interface Permit {
  /** The receiver said something, or its end of the network did. */
  readonly answered: () => void;
  /** It let the deadline pass. */
  readonly timedOut: () => void;
  /** Nothing was sent, or nothing is known. */
  readonly abandoned: () => void;
}

interface LimiterEntry {
  readonly limiter: ReceiverLimiter;
  readonly waiting: ((permit: Permit | null) => void)[];
}

/**
 * Keeps receivers apart within one process. Who finds the lane full waits for as long as the receiver is heard of;
 * when it falls silent, whoever waits is turned away (null) and goes back to being owed.
 *
 * A slot is held only while a request is prompt: the worker takes as many deliveries more than its concurrency says as
 * there are requests out for longer. So receivers that hang cost sockets, but after half a second nobody's turn.
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
    // After a stall of our own, answers lie unread: that silence is ours.
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
