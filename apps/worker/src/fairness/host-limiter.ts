import { FairQueue } from './fair-queue.js';
import { HostCrowd } from './host-crowd.js';
import { HostPace } from './host-pace.js';
import {
  HOST_ACCEPTS_WITHIN_MS,
  HOST_FORGOTTEN_AFTER_MS,
  HOST_PAUSE_MS,
  HOST_WAIT_MS,
  INITIAL_RECEIVER_LIMIT,
  MAX_WAITING_FOR_HOST,
  PROMPT_WITHIN_MS,
} from './limits.js';
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
  readonly waiting = new FairQueue<Waiting>();
  private readonly window: ReceiverLimiter;
  private readonly crowd: HostCrowd;
  private readonly pace: HostPace;
  private usedAt: number;
  private acceptedAt = -Infinity;
  private loweredAt = -Infinity;
  private answersInPeriod = { since: 0, count: 0, perSecond: 0 };
  /** Until when deliveries of each account were put off. */
  private readonly putOffUntil = new Map<string, number>();

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
        this.answersInPeriod.count += 1;
        if (accepted) this.acceptedAt = answeredAt;
        const answer = answeredAt - now < PROMPT_WITHIN_MS ? 'prompt' : 'slow';
        this.pace.ended(accepted ? answer : 'bad');
      },
      timedOut: () => {
        this.endTimedOut(request, now);
        this.pace.ended('bad');
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
    const accounts = Math.max(1, this.waiting.accounts);
    const next = Math.max(this.putOffUntil.get(accountId) ?? 0, now + HOST_PAUSE_MS.least);
    const pauseMs = next - now;
    const stepMs = (accounts * 1000) / this.drainPerSecond(now);
    const mostMs = this.isPaced(now) ? HOST_PAUSE_MS.mostAtPace : HOST_PAUSE_MS.most;
    this.putOffUntil.set(accountId, Math.min(next + stepMs, now + mostMs));
    return Math.min(pauseMs, mostMs);
  }

  check(now: number): void {
    this.crowd.age(now);
    this.pace.adjust(now, this.crowd.isLarge);
    const { since, count } = this.answersInPeriod;
    if (now - since >= 1000) this.answersInPeriod = { since: now, count: 0, perSecond: count };
    for (const [accountId, until] of this.putOffUntil) if (until < now) this.putOffUntil.delete(accountId);
  }

  isForgettable(now: number): boolean {
    return this.waiting.size === 0 && this.window.isIdle && now - this.usedAt > HOST_FORGOTTEN_AFTER_MS;
  }

  private drainPerSecond(now: number): number {
    if (this.isPaced(now)) return this.pace.perSecond;
    return Math.max(INITIAL_RECEIVER_LIMIT, this.answersInPeriod.perSecond);
  }

  private isPaced(now: number): boolean {
    return this.crowd.isLarge && !this.isSilent(now);
  }

  /** The requests of a few webhooks that hang do not fill the window while the host accepts others. */
  private isFull(now: number): boolean {
    return this.isAccepting(now) ? this.window.isFullOfPrompt(now) : this.window.isFull;
  }

  /** What started before the window was lowered says nothing new. So it is lowered once per deadline at most. */
  private endTimedOut(request: ReturnType<ReceiverLimiter['start']>, startedAt: number): void {
    const now = performance.now();
    if (startedAt < this.loweredAt || this.isAccepting(now)) return request.withdrawn();
    this.loweredAt = now;
    request.timedOut();
  }

  private isAccepting(now: number): boolean {
    return now - this.acceptedAt <= HOST_ACCEPTS_WITHIN_MS;
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
