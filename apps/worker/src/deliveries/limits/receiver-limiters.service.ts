import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { hostOfUrl } from '#libs/address-guard';
import { Inject, Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { MIN_PATIENCE_MS } from './answer-times.js';
import { INITIAL_LIMIT } from './concurrency-limit.js';
import { TICK_MS } from './delivery-slot-limiter.js';
import { type LimiterBounds, type RequestEnd, RequestLimiter } from './request-limiter.js';
import { SlowReceiversService } from './slow-receivers.service.js';

/** If longer, deliveries that wait for a silent receiver keep their slots, and bulk that may start is fetched later. */
export const CHECK_MS = 5 * TICK_MS;

export interface WantedRequest {
  readonly accountId: string;
  readonly webhookId: string;
  readonly url: string;
}

/** Must be ended once. */
export interface Permit {
  readonly kind: 'permit';
  readonly end: (end: RequestEnd) => void;
}

export interface Refusal {
  readonly kind: 'silent' | 'busy' | 'host';
  readonly forMs: number;
}

type LimiterSettings = Pick<Settings, 'WORKER_CONCURRENCY' | 'WEBHOOK_HOST_CONCURRENCY' | 'WEBHOOK_HOST_PER_SECOND'>;

/**
 * A request needs a turn of its receiver and then of its host and port, where the accounts take turns. Each worker
 * keeps its share of the limits, without coordination.
 */
@Injectable()
export class ReceiverLimitersService {
  private readonly receivers = new Map<string, RequestLimiter>();
  private readonly hosts = new Map<string, RequestLimiter>();
  private readonly receiverBounds: LimiterBounds;
  private readonly hostBounds: LimiterBounds;
  /** Runs while receivers are known. */
  private timer: NodeJS.Timeout | undefined;
  private checkedAt = 0;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: LimiterSettings,
    @Inject(SlowReceiversService) private readonly slowReceivers: Pick<SlowReceiversService, 'mark'>,
    workers: LiveWorkersService,
  ) {
    const share = (name: keyof LimiterSettings) => () => workers.shareOf(settings[name]);
    this.receiverBounds = { initial: () => INITIAL_LIMIT, max: share('WORKER_CONCURRENCY') };
    const failuresPerSecond = share('WEBHOOK_HOST_PER_SECOND');
    const initial = () => Math.max(INITIAL_LIMIT, failuresPerSecond());
    this.hostBounds = { initial, max: share('WEBHOOK_HOST_CONCURRENCY'), failuresPerSecond };
  }

  async acquire({ webhookId, accountId, url }: WantedRequest): Promise<Permit | Refusal> {
    this.watch();
    const receiver = limiterOf(this.receivers, webhookId, this.receiverBounds);
    const busyMs = await receiver.enter(webhookId, performance.now());
    if (busyMs !== null && receiver.answers.isSilent(performance.now()))
      return { kind: 'silent', forMs: MIN_PATIENCE_MS };
    if (busyMs !== null) return { kind: 'busy', forMs: busyMs };
    const host = limiterOf(this.hosts, hostOfUrl(url), this.hostBounds);
    const pauseMs = await host.enter(accountId, performance.now(), receiver.isAccepting);
    if (pauseMs === null) return startRequest(receiver, host);
    receiver.leave(performance.now());
    return { kind: 'host', forMs: pauseMs };
  }

  get waitingForHosts(): number {
    return [...this.hosts.values()].reduce((count, { waitingCount }) => count + waitingCount, 0);
  }

  close(): void {
    clearInterval(this.timer);
    for (const limiters of [this.receivers, this.hosts]) for (const [, one] of limiters) one.refuseWaiting(0);
  }

  private watch(): void {
    if (this.timer) return;
    this.checkedAt = performance.now();
    this.timer = setInterval(() => this.check(), CHECK_MS).unref();
  }

  private check(): void {
    const now = performance.now();
    // After a stall, responses may be unread.
    const isLate = now - this.checkedAt > 3 * CHECK_MS;
    this.checkedAt = now;
    if (isLate) return;
    for (const limiters of [this.receivers, this.hosts]) {
      for (const [key, limiter] of limiters) {
        const isInVain = limiter.check(now);
        if (isInVain && limiters === this.receivers) this.slowReceivers.mark(key);
        if (limiter.isForgettable(now)) limiters.delete(key);
      }
    }
    if (this.receivers.size + this.hosts.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function limiterOf(limiters: Map<string, RequestLimiter>, key: string, bounds: LimiterBounds): RequestLimiter {
  const known = limiters.get(key) ?? new RequestLimiter(bounds);
  limiters.set(key, known);
  return known;
}

function startRequest(receiver: RequestLimiter, host: RequestLimiter): Permit {
  const startedAt = performance.now();
  for (const one of [receiver, host]) one.answers.start(startedAt);
  const end = (how: RequestEnd) => {
    const now = performance.now();
    if (how === 'timed_out') receiver.limit.lowerTo(1);
    // One webhook that hangs must not stop others at its host.
    if (how === 'timed_out' && !host.answers.hasAnsweredSince(startedAt)) host.limit.lowerTo(INITIAL_LIMIT);
    for (const one of [receiver, host]) one.end(how, startedAt, now);
  };
  return { kind: 'permit', end };
}
