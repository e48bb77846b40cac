import { Clock, Database } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { markSlow } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { DeliverySlotLimiter } from './delivery-slot-limiter.js';
import { HostLimitersService, type HostRequest, type Wanted } from './host-limiters.service.js';
import { PAUSE_MS, RECEIVER_CHECK_MS, RECEIVER_SLOW_FOR_MS, SILENT_AFTER_MS } from './limits.js';
import { PauseSpreader, ReceiverLimiter, type RequestEnd, receiverBounds } from './receiver-limiter.js';

/** Must be ended once. */
export interface Permit {
  readonly kind: 'permit';
  readonly end: (end: RequestEnd) => void;
}

export interface Refusal {
  readonly kind: 'silent' | 'busy' | 'host';
  readonly forMs: number;
}

interface LimiterEntry {
  readonly limiter: ReceiverLimiter;
  readonly waiting: Waiting[];
  readonly putOffs: PauseSpreader;
  atHost: number;
}

interface Waiting {
  readonly wanted: Wanted;
  readonly resolve: (answer: Permit | Refusal) => void;
}

const SILENT: Refusal = { kind: 'silent', forMs: SILENT_AFTER_MS };

/** Shares slow receivers with all processes, through PostgreSQL. */
@Injectable()
export class SlowReceiversService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: WorkerMetrics,
  ) {}

  mark(webhookId: string): void {
    const until = this.clock.in(RECEIVER_SLOW_FOR_MS);
    markSlow(this.database.system(), webhookId, until).catch((error: unknown) =>
      this.telemetry.interrupted('a receiver could not be marked as slow', error),
    );
  }
}

/**
 * Isolates receivers. A delivery waits, holding its slot, only if its turn comes within half a second; otherwise it is
 * owed again. Then it needs a turn of its host. A request holds a slot for half a second at most, so receivers that
 * hang delay no others.
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
      if (entry.limiter.hasRoomBeside(entry.atHost)) this.requestHost(entry, { wanted, resolve });
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
    const entry = { limiter, waiting: [], putOffs: new PauseSpreader(), atHost: 0 };
    this.entries.set(webhookId, entry);
    return entry;
  }

  private requestHost(entry: LimiterEntry, { wanted, resolve }: Waiting): void {
    const answer = this.hosts.request(wanted, (turn) => {
      entry.atHost -= 1;
      resolve(turn.kind === 'host' ? turn : this.newPermit(entry, turn));
      this.admitWaiting(entry);
    });
    if (answer === null) entry.atHost += 1;
    else resolve(answer.kind === 'host' ? answer : this.newPermit(entry, answer));
  }

  private newPermit(entry: LimiterEntry, atHost: HostRequest): Permit {
    const endAtReceiver = entry.limiter.start(performance.now());
    const end = (how: RequestEnd) => {
      endAtReceiver(how, performance.now());
      atHost.end(how);
      this.admitWaiting(entry);
    };
    return { kind: 'permit', end };
  }

  private admitWaiting(entry: LimiterEntry): void {
    while (entry.waiting.length > 0 && entry.limiter.hasRoomBeside(entry.atHost))
      this.requestHost(entry, entry.waiting.shift()!);
  }

  private checkReceivers(): void {
    const now = performance.now();
    // After a stall responses may be unread, so no receiver counts as silent.
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
  const maxMs = limiter.isAtMax ? PAUSE_MS.maxAtKnownRate : limiter.patienceMs(PAUSE_MS.min);
  return putOffs.pauseMs(webhookId, { perSecond: limiter.perSecond(now), maxMs }, now);
}

function refuseWaiting({ waiting }: LimiterEntry): void {
  for (const { resolve } of waiting.splice(0)) resolve(SILENT);
}
