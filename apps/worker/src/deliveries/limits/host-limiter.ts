import { FairLanes } from '#libs/pacing';
import { HostCrowd } from './host-crowd.js';
import { HostPace } from './host-pace.js';
import {
  HOST_WAIT_MS,
  INITIAL_RECEIVER_LIMIT,
  LIMITER_FORGOTTEN_AFTER_MS,
  MAX_WAITING_FOR_HOST,
  PAUSE_MS,
  SILENT_AFTER_MS,
} from './limits.js';
import { type Outlook, PutOffs } from './put-offs.js';
import { type LimiterBounds, ReceiverLimiter } from './receiver-limiter.js';

/** This process's share of what all workers may do. It changes with their number. */
export interface HostBounds {
  readonly perSecond: number;
  readonly concurrency: number;
  readonly initialConcurrency: number;
}

export interface HostRequest {
  readonly kind: 'started';
  /** `accepted`: with a 2xx. */
  readonly answered: (accepted: boolean) => void;
  readonly timedOut: () => void;
  /** It was not made, or given up by this process. */
  readonly withdrawn: () => void;
}

/**
 * Limits the requests to one host and port, over all its webhooks and accounts: how many are out at once and, if it has
 * many webhooks, how many start in a second.
 */
export class HostLimiter<Waiting> {
  readonly waiting = new FairLanes<Waiting>();
  private readonly window: ReceiverLimiter;
  private readonly crowd: HostCrowd;
  private readonly pace: HostPace;
  private usedAt: number;
  private acceptedAt = -Infinity;
  private loweredAt = -Infinity;
  private readonly putOffs = new PutOffs();

  constructor(bounds: HostBounds, now: number) {
    this.window = new ReceiverLimiter(windowBounds(bounds));
    this.crowd = new HostCrowd(now);
    this.pace = new HostPace(bounds, now);
    this.usedAt = now;
  }

  saw(webhookId: string, now: number): void {
    this.usedAt = now;
    this.crowd.saw(webhookId, now);
  }

  canStart(now: number): boolean {
    return !this.isFull(now) && (!this.crowd.isLarge || this.pace.hasToken(now));
  }

  start(now: number): HostRequest {
    this.pace.take();
    const request = this.window.start(now);
    return {
      kind: 'started',
      answered: (accepted) => {
        const answeredAt = performance.now();
        request.answered(answeredAt);
        if (accepted) this.acceptedAt = answeredAt;
        this.pace.ended(accepted);
      },
      timedOut: () => {
        this.endTimedOut(request, now);
        this.pace.ended(false);
      },
      withdrawn: request.withdrawn,
    };
  }

  isSilent(now: number): boolean {
    return this.isFull(now) && this.window.isSilent(now);
  }

  /** Whether a delivery of this account would get its turn soon. */
  hasRoomToWait(accountId: string, now: number): boolean {
    const soon = this.crowd.isLarge ? Math.ceil((this.pace.perSecond * HOST_WAIT_MS) / 1000) : Infinity;
    return !this.isSilent(now) && this.waiting.hasRoom(accountId, Math.min(MAX_WAITING_FOR_HOST, soon));
  }

  /** For how long to put one off that cannot wait here: they come back one after the other, as fast as the host takes them. */
  pauseMs(accountId: string, now: number): number {
    const { perSecond, mostMs } = this.outlook(now);
    const accounts = Math.max(1, this.waiting.laneCount);
    return this.putOffs.pauseMs(accountId, { perSecond: perSecond / accounts, mostMs }, now);
  }

  check(now: number): void {
    this.crowd.age(now);
    this.pace.adjust(now, this.crowd.isLarge);
    this.putOffs.forgetPast(now);
  }

  isForgettable(now: number): boolean {
    return this.waiting.size === 0 && this.window.isIdle && now - this.usedAt > LIMITER_FORGOTTEN_AFTER_MS;
  }

  /** While the host accepts and its limits still rise, its rate is unknown, so every delivery tries again within two round trips. */
  private outlook(now: number): Outlook {
    const isPaced = this.crowd.isLarge && !this.isSilent(now);
    const ofWindow = this.window.perSecond(now);
    const perSecond = isPaced ? Math.min(this.pace.perSecond, ofWindow) : ofWindow;
    const isRising = !this.window.isAtMax && !(isPaced && this.pace.isHeldBack);
    if (isRising && this.isAccepting(now)) return { perSecond, mostMs: this.window.patienceMs(PAUSE_MS.least) };
    return { perSecond, mostMs: isPaced ? PAUSE_MS.mostAtKnownRate : PAUSE_MS.most };
  }

  /** The requests of a few webhooks that hang do not fill the window while the host accepts others. */
  private isFull(now: number): boolean {
    return this.isAccepting(now) ? this.window.isFullOfAnswered(now) : this.window.isFull;
  }

  /** What started before the window was lowered says nothing new. So it is lowered once per deadline at most. */
  private endTimedOut(request: ReturnType<ReceiverLimiter['start']>, startedAt: number): void {
    const now = performance.now();
    if (startedAt < this.loweredAt || this.isAccepting(now)) return request.withdrawn();
    this.loweredAt = now;
    request.timedOut();
  }

  private isAccepting(now: number): boolean {
    return now - this.acceptedAt <= this.window.patienceMs(SILENT_AFTER_MS);
  }
}

/** One webhook’s time-outs must not stop the others at the same host. */
const windowBounds = (bounds: HostBounds): LimiterBounds => ({
  get initial() {
    return bounds.initialConcurrency;
  },
  get max() {
    return bounds.concurrency;
  },
  lowered: (limit) => Math.max(INITIAL_RECEIVER_LIMIT, Math.floor(limit / 2)),
});
