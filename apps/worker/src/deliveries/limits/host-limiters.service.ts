import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { hostOfUrl } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DeliverySlotLimiter } from './delivery-slot-limiter.js';
import { type HostBounds, HostLimiter } from './host-limiter.js';
import type { RequestEnd } from './receiver-limiter.js';
import { INITIAL_RECEIVER_LIMIT } from './limits.js';
import { LiveWorkersService } from '../../live-workers.service.js';

export interface HostRequest {
  readonly kind: 'started';
  readonly end: (end: RequestEnd) => void;
}

/** Over all workers, for a host that has never answered. */
const INITIAL_HOST_LIMIT = 100;

/** Bounds memory: waiting deliveries are loaded. */
const MAX_WAITING_FOR_HOSTS = 500;

/** Saves parsing URLs. */
const MAX_REMEMBERED_URLS = 10_000;

export interface Wanted {
  readonly accountId: string;
  readonly webhookId: string;
  readonly url: string;
}

export interface HostRefusal {
  readonly kind: 'host';
  readonly forMs: number;
}

/** Called once. Must not be awaited. */
type Turn = (turn: HostRequest | HostRefusal) => void;

type HostSettings = Pick<Settings, 'WEBHOOK_HOST_CONCURRENCY' | 'WEBHOOK_HOST_PER_SECOND'>;

interface WaitingForHost {
  readonly accountId: string;
  readonly turn: Turn;
}

/**
 * Each worker keeps its share of a host’s limits, without coordination. A delivery waits here for a moment without a
 * slot; one that would wait longer is owed again.
 */
@Injectable()
export class HostLimitersService {
  private readonly entries = new Map<string, HostLimiter<WaitingForHost>>();
  private readonly hosts = new LRUCache<string, string>({ max: MAX_REMEMBERED_URLS, memoMethod: hostOfUrl });
  private readonly bounds: HostBounds;
  private waiting = 0;
  private isClosed = false;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: HostSettings,
    @Inject(DeliverySlotLimiter) private readonly slots: Pick<DeliverySlotLimiter, 'lend' | 'takeBack'>,
    workers: LiveWorkersService,
  ) {
    this.bounds = boundsOf(settings, workers);
  }

  /** Null if the delivery waits. */
  request({ accountId, webhookId, url }: Wanted, turn: Turn): HostRequest | HostRefusal | null {
    if (this.isClosed) return { kind: 'host', forMs: 0 };
    const now = performance.now();
    const entry = this.entryOf(this.hosts.memo(url), now);
    entry.noteWebhook(webhookId, now);
    if (entry.waiting.size === 0 && entry.canStart(now)) return this.start(entry, now);
    if (!this.mayWait(entry, accountId, now)) return { kind: 'host', forMs: entry.pauseMs(accountId, now) };
    this.waiting += 1;
    entry.waiting.push(accountId, { accountId, turn });
    this.slots.lend();
    return null;
  }

  check(now: number, wasStalled: boolean): void {
    for (const [host, entry] of this.entries) {
      entry.check(now);
      if (!wasStalled && entry.isSilent(now)) this.refuseWaiting(entry, (accountId) => entry.pauseMs(accountId, now));
      else this.admitWaiting(entry);
      if (entry.isForgettable(now)) this.entries.delete(host);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const entry of this.entries.values()) this.refuseWaiting(entry, () => 0);
  }

  get waitingCount(): number {
    return this.waiting;
  }

  private entryOf(host: string, now: number): HostLimiter<WaitingForHost> {
    const known = this.entries.get(host);
    if (known) return known;
    const entry = new HostLimiter<WaitingForHost>(this.bounds, now);
    this.entries.set(host, entry);
    return entry;
  }

  /** Waiting deliveries are limited per host. */
  private mayWait(entry: HostLimiter<WaitingForHost>, accountId: string, now: number): boolean {
    if (this.waiting >= MAX_WAITING_FOR_HOSTS && entry.waiting.size >= INITIAL_RECEIVER_LIMIT) return false;
    return entry.hasRoomToWait(accountId, now);
  }

  private start(entry: HostLimiter<WaitingForHost>, now: number): HostRequest {
    const endAtHost = entry.start(now);
    const end = (how: RequestEnd) => {
      endAtHost(how);
      this.admitWaiting(entry);
    };
    return { kind: 'started', end };
  }

  private admitWaiting(entry: HostLimiter<WaitingForHost>): void {
    while (entry.waiting.size > 0) {
      const now = performance.now();
      if (!entry.canStart(now)) return;
      const { turn } = entry.waiting.shift()!;
      this.endWait();
      turn(this.start(entry, now));
    }
  }

  private refuseWaiting(entry: HostLimiter<WaitingForHost>, pauseMs: (accountId: string) => number): void {
    for (const { accountId, turn } of entry.waiting.clear()) {
      this.endWait();
      turn({ kind: 'host', forMs: pauseMs(accountId) });
    }
  }

  private endWait(): void {
    this.waiting -= 1;
    this.slots.takeBack();
  }
}

/** Getters, because the shares change. One webhook’s time-outs must not stop others at the host. */
const boundsOf = (settings: HostSettings, workers: LiveWorkersService): HostBounds => ({
  get initial() {
    return Math.max(INITIAL_RECEIVER_LIMIT, workers.shareOf(INITIAL_HOST_LIMIT));
  },
  get max() {
    return workers.shareOf(settings.WEBHOOK_HOST_CONCURRENCY);
  },
  lowered: (limit) => Math.max(INITIAL_RECEIVER_LIMIT, Math.floor(limit / 2)),
  get perSecond() {
    return workers.shareOf(settings.WEBHOOK_HOST_PER_SECOND);
  },
});
