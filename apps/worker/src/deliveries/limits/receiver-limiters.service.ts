import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { DeliverySlotLimiter } from './delivery-slot-limiter.js';
import { HostLimitersService, type HostRequest, type Wanted } from './host-limiters.service.js';
import { LiveWorkersService } from '../../live-workers.service.js';
import { ReceiverLimiter, receiverBounds } from './receiver-limiter.js';
import { PutOffs } from './put-offs.js';
import { SlowReceiversService } from './slow-receivers.service.js';
import { PAUSE_MS, RECEIVER_CHECK_MS, SILENT_RECEIVER_PAUSE_MS } from './limits.js';

/** The right to send one request. Exactly one of its functions is called when the request ends. */
export interface Permit {
  readonly kind: 'permit';
  /** The request ended before its deadline, with an answer or an error. `accepted`: with a 2xx. */
  readonly answered: (accepted: boolean) => void;
  /** The receiver let the deadline pass. */
  readonly timedOut: () => void;
  /** This process gave the request up, which says nothing about the receiver. */
  readonly abandoned: () => void;
}

/** Refuses a delivery for now: the webhook’s receiver is silent or at its limit, or its host is. */
export interface Refusal {
  readonly kind: 'silent' | 'busy' | 'host';
  readonly forMs: number;
}

interface LimiterEntry {
  readonly limiter: ReceiverLimiter;
  readonly waiting: Waiting[];
  readonly putOffs: PutOffs;
  /** Those that this receiver could take, and that wait for their host. */
  atHost: number;
}

interface Waiting {
  readonly wanted: Wanted;
  readonly resolve: (answer: Permit | Refusal) => void;
}

const SILENT: Refusal = { kind: 'silent', forMs: SILENT_RECEIVER_PAUSE_MS };

/**
 * Keeps receivers apart within one process. While its receiver has no permit left but still answers, a delivery waits, if
 * its turn would come within half a second, because it holds a slot meanwhile. If the receiver falls silent, the waiting deliveries are refused. What is refused is
 * owed again. Then comes the host, which the webhooks there share.
 *
 * A request holds a slot only for half a second. After that the worker takes another delivery in its place, so receivers
 * that hang cost sockets but delay nobody.
 */
@Injectable()
export class ReceiverLimitersService {
  private readonly entries = new Map<string, LimiterEntry>();
  private readonly timer = setInterval(() => this.checkReceivers(), RECEIVER_CHECK_MS).unref();
  private checkedAt = performance.now();
  private slow = 0;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Pick<Settings, 'WORKER_CONCURRENCY'>,
    @Inject(DeliverySlotLimiter) private readonly slots: Pick<DeliverySlotLimiter, 'adjust'>,
    @Inject(SlowReceiversService) private readonly slowReceivers: Pick<SlowReceiversService, 'mark'>,
    @Inject(HostLimitersService) private readonly hosts: Pick<HostLimitersService, 'request' | 'check' | 'close'>,
    private readonly workers: LiveWorkersService,
  ) {}

  acquire(wanted: Wanted): Promise<Permit | Refusal> {
    return new Promise((resolve) => {
      const [entry, now] = [this.entryOf(wanted.webhookId), performance.now()];
      if (entry.limiter.hasRoomBeside(entry.atHost)) this.askHost(entry, { wanted, resolve });
      else if (entry.limiter.isSilent(now)) resolve(SILENT);
      else if (entry.limiter.hasRoomToWait(entry.waiting.length, now)) entry.waiting.push({ wanted, resolve });
      else resolve({ kind: 'busy', forMs: pauseMs(entry, wanted.webhookId, now) });
    });
  }

  close(): void {
    clearInterval(this.timer);
    for (const entry of this.entries.values()) refuseWaiting(entry);
    this.hosts.close();
  }

  private entryOf(webhookId: string): LimiterEntry {
    const known = this.entries.get(webhookId);
    if (known) return known;
    const limiter = new ReceiverLimiter(receiverBounds(this.workers.shareOf(this.settings.WORKER_CONCURRENCY)));
    const entry = { limiter, waiting: [], putOffs: new PutOffs(), atHost: 0 };
    this.entries.set(webhookId, entry);
    return entry;
  }

  private askHost(entry: LimiterEntry, { wanted, resolve }: Waiting): void {
    const answer = this.hosts.request(wanted, (turn) => {
      entry.atHost -= 1;
      resolve(turn.kind === 'host' ? turn : this.newPermit(entry, turn));
      this.admitWaiting(entry);
    });
    if (answer === null) entry.atHost += 1;
    else resolve(answer.kind === 'host' ? answer : this.newPermit(entry, answer));
  }

  private newPermit(entry: LimiterEntry, atHost: HostRequest): Permit {
    const request = entry.limiter.start(performance.now());
    return {
      kind: 'permit',
      answered: (accepted) => {
        request.answered(performance.now());
        atHost.answered(accepted);
        this.admitWaiting(entry);
      },
      timedOut: () => {
        request.timedOut();
        atHost.timedOut();
        this.admitWaiting(entry);
      },
      abandoned: () => {
        request.withdrawn();
        atHost.withdrawn();
        this.admitWaiting(entry);
      },
    };
  }

  private admitWaiting(entry: LimiterEntry): void {
    while (entry.waiting.length > 0 && entry.limiter.hasRoomBeside(entry.atHost))
      this.askHost(entry, entry.waiting.shift()!);
  }

  private checkReceivers(): void {
    const now = performance.now();
    // After a stall of this process, answers may be waiting unread, so no receiver counts as silent and no request as slow.
    const wasStalled = now - this.checkedAt > 3 * RECEIVER_CHECK_MS;
    this.checkedAt = now;
    let slow = 0;
    for (const [webhookId, entry] of this.entries) {
      if (!wasStalled && entry.waiting.length > 0 && entry.limiter.isSilent(now)) {
        refuseWaiting(entry);
        this.slowReceivers.mark(webhookId);
      }
      slow += entry.limiter.slowCount(now);
      if (entry.limiter.isDiscardable(now) && entry.waiting.length + entry.atHost === 0) this.entries.delete(webhookId);
    }
    this.hosts.check(now, wasStalled);
    if (!wasStalled) this.slow = slow;
    this.slots.adjust(this.slow);
  }
}

function pauseMs({ limiter, putOffs }: LimiterEntry, webhookId: string, now: number): number {
  const mostMs = limiter.isAtMax ? PAUSE_MS.mostAtKnownRate : limiter.patienceMs(PAUSE_MS.least);
  return putOffs.pauseMs(webhookId, { perSecond: limiter.perSecond(now), mostMs }, now);
}

function refuseWaiting({ waiting }: LimiterEntry): void {
  for (const { resolve } of waiting.splice(0)) resolve(SILENT);
}
