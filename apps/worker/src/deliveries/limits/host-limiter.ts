import { FairLanes } from '#libs/pacing';
import { HostPace } from './host-pace.js';
import { LIMITER_FORGOTTEN_AFTER_MS, PAUSE_MS, SILENT_AFTER_MS } from './limits.js';
import {
  type LimiterBounds,
  type Outlook,
  PauseSpreader,
  ReceiverLimiter,
  type RequestEnd,
} from './receiver-limiter.js';

/** Higher, many accounts together flood one service. */
const MANY_WEBHOOKS_OF_HOST = 50;

/** A webhook counts as active for this long. */
const HOST_CROWD_MS = 5_000;

/** Longer, waiting deliveries lose their leases. */
const HOST_WAIT_MS = 2_000;

const MAX_WAITING_FOR_HOST = 250;

/** Each process has a share, which changes with the number of workers. */
export interface HostBounds extends LimiterBounds {
  readonly perSecond: number;
}

/** Limits requests to a host over all webhooks and accounts: their concurrency and, with many webhooks, their rate. */
export class HostLimiter<Waiting> {
  readonly waiting = new FairLanes<Waiting>();
  private readonly window: ReceiverLimiter;
  private readonly crowd: HostCrowd;
  private readonly pace: HostPace;
  private usedAt: number;
  private acceptedAt = -Infinity;
  private loweredAt = -Infinity;
  private readonly putOffs = new PauseSpreader();

  constructor(bounds: HostBounds, now: number) {
    this.window = new ReceiverLimiter(bounds);
    this.crowd = new HostCrowd(now);
    this.pace = new HostPace(bounds, now);
    this.usedAt = now;
  }

  noteWebhook(webhookId: string, now: number): void {
    this.usedAt = now;
    this.crowd.add(webhookId, now);
  }

  canStart(now: number): boolean {
    return !this.isFull(now) && (!this.crowd.isLarge || this.pace.hasToken(now));
  }

  /** Returns the function that ends the request. */
  start(now: number): (end: RequestEnd) => void {
    this.pace.take();
    const endInWindow = this.window.start(now);
    return (end) => {
      const endedAt = performance.now();
      const isOldNews = end === 'timed_out' && !this.lowersLimit(now, endedAt);
      endInWindow(isOldNews ? 'abandoned' : end, endedAt);
      if (end === 'accepted') this.acceptedAt = endedAt;
      if (end !== 'abandoned') this.pace.ended(end === 'accepted');
    };
  }

  isSilent(now: number): boolean {
    return this.isFull(now) && this.window.isSilent(now);
  }

  hasRoomToWait(accountId: string, now: number): boolean {
    const soon = this.crowd.isLarge ? Math.ceil((this.pace.perSecond * HOST_WAIT_MS) / 1000) : Infinity;
    return !this.isSilent(now) && this.waiting.hasRoom(accountId, Math.min(MAX_WAITING_FOR_HOST, soon));
  }

  /** Deliveries return one by one, at the host’s rate. */
  pauseMs(accountId: string, now: number): number {
    const { perSecond, maxMs } = this.outlook(now);
    const accounts = Math.max(1, this.waiting.laneCount);
    return this.putOffs.pauseMs(accountId, { perSecond: perSecond / accounts, maxMs }, now);
  }

  check(now: number): void {
    this.crowd.age(now);
    this.pace.adjust(now, this.crowd.isLarge);
    this.putOffs.forgetPast(now);
  }

  isForgettable(now: number): boolean {
    return this.waiting.size === 0 && this.window.isIdle && now - this.usedAt > LIMITER_FORGOTTEN_AFTER_MS;
  }

  /** Rising limits reveal no rate, so deliveries retry within two round trips. */
  private outlook(now: number): Outlook {
    const isPaced = this.crowd.isLarge && !this.isSilent(now);
    const ofWindow = this.window.perSecond(now);
    const perSecond = isPaced ? Math.min(this.pace.perSecond, ofWindow) : ofWindow;
    const isRising = !this.window.isAtMax && !(isPaced && this.pace.isHeldBack);
    if (isRising && this.isAccepting(now)) return { perSecond, maxMs: this.window.patienceMs(PAUSE_MS.min) };
    return { perSecond, maxMs: isPaced ? PAUSE_MS.maxAtKnownRate : PAUSE_MS.max };
  }

  /** Hanging requests take no room while the host accepts others. */
  private isFull(now: number): boolean {
    return this.isAccepting(now) ? this.window.isFullOfAnswered(now) : this.window.isFull;
  }

  /** At most once per deadline: requests from before say nothing new. */
  private lowersLimit(startedAt: number, now: number): boolean {
    if (startedAt < this.loweredAt || this.isAccepting(now)) return false;
    this.loweredAt = now;
    return true;
  }

  private isAccepting(now: number): boolean {
    return now - this.acceptedAt <= this.window.patienceMs(SILENT_AFTER_MS);
  }
}

/** Each worker gets deliveries of every webhook, so the number of workers does not matter. */
class HostCrowd {
  private webhooks = new Set<string>();
  private before = 0;
  private since: number;

  constructor(now: number) {
    this.since = now;
  }

  add(webhookId: string, now: number): void {
    this.age(now);
    if (this.webhooks.size <= MANY_WEBHOOKS_OF_HOST) this.webhooks.add(webhookId);
  }

  get isLarge(): boolean {
    return Math.max(this.webhooks.size, this.before) > MANY_WEBHOOKS_OF_HOST;
  }

  age(now: number): void {
    const elapsed = now - this.since;
    if (elapsed < HOST_CROWD_MS) return;
    this.before = elapsed < 2 * HOST_CROWD_MS ? this.webhooks.size : 0;
    this.webhooks = new Set();
    this.since = now;
  }
}
