import { setTimeout as pause } from 'node:timers/promises';
import { TooMany } from '#libs/entities';
import type { FeedPage } from '#libs/lists';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { stopCountingAsOpen } from '../edge/address-limits.js';
import type { Caller, Exchange } from '../edge/caller.js';
import { RefusalCounter } from '../edge/refusal-counter.js';
import { BearerGuard } from '../oauth/bearer.guard.js';
import { LiveUpdatesService } from './live-updates.service.js';
import type { Topic } from './live.statements.js';
import { type Seat, StreamSeats } from './stream-seats.js';
import { versionOfFeed } from './topics.service.js';

interface Wait extends Seat, Pick<Caller, 'grantId' | 'applicationId'> {
  readonly end: () => void;
  /** The request checks its token and reads again. */
  readonly wake: () => void;
}

const TOO_MANY_WAITING =
  'Too many requests of this account are waiting. Send the request without `wait`, or try again later.';

/** Between reads that find nothing: a busy account always has news, but perhaps not of the wanted kind or ticket. */
const REREAD_MS = 250;

/** More than end while a request reads a page. */
const MAX_RECENTLY_ENDED = 10_000;

/** An empty id means that any access may have ended. */
const endingsOf = ({ grantId, applicationId }: Pick<Caller, 'grantId' | 'applicationId'>): string[] => [
  '',
  grantId,
  ...(applicationId === null ? [] : [applicationId]),
];

interface LongPoll<Item> {
  readonly topic: Topic;
  readonly query: { readonly cursor?: string | undefined; readonly waitMs: number };
  readonly load: (cursor: string | undefined) => Promise<FeedPage<Item>>;
}

interface Waiting {
  readonly topic: Topic;
  readonly latest: string;
  readonly ms: number;
  readonly checkedAt: number;
}

/**
 * Requests that wait for a change or an event, limited per agent and per account. A commit costs one query per account,
 * however many requests wait.
 */
@Injectable()
export class LongPollsService implements BeforeApplicationShutdown {
  private readonly waits = new Set<Wait>();
  private readonly seats: StreamSeats<Wait>;
  private isStopping = false;
  /** When the access of a grant or an application ended, by its id. */
  private readonly endedAt = new LRUCache<string, number>({ max: MAX_RECENTLY_ENDED });

  constructor(
    private readonly updates: LiveUpdatesService,
    private readonly refusals: RefusalCounter,
    private readonly bearer: BearerGuard,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    const { LIVE_STREAMS_PER_AGENT: perAgent, LIVE_STREAMS_PER_ACCOUNT: perAccount } = settings;
    this.seats = new StreamSeats({ perAgent, perAccount });
    updates.onAccessEnded((id) => this.checkTokens(id));
  }

  get waiting(): number {
    return this.waits.size;
  }

  /** Waits until a page has items. Round trips: those of a page; after a wait, the token’s 1 and another page. */
  async page<Item>(caller: Caller, poll: LongPoll<Item>, exchange: Exchange): Promise<FeedPage<Item>> {
    const { topic, query, load } = poll;
    const deadline = performance.now() + query.waitMs;
    let checkedAt = performance.now() - exchange.reply.elapsedTime;
    for (let cursor = query.cursor, reads = 0; ; reads++) {
      const page = await load(cursor);
      if (page.items.length > 0 || page.hasMore || performance.now() >= deadline) return page;
      if (reads > 0) await pause(REREAD_MS);
      const ms = deadline - performance.now();
      if (!(await this.hasNews(caller, { topic, latest: page.latest, ms, checkedAt }, exchange))) return page;
      // The token may have been revoked during the wait.
      checkedAt = performance.now();
      await this.bearer.authenticate(exchange.request);
      cursor = page.cursor;
    }
  }

  /**
   * Waits for a record after the `latest` that the client has received, or until the token may have been revoked since
   * `checkedAt`. False if the time is up, the client has gone, or a newer wait took the seat.
   */
  private async hasNews(
    caller: Caller,
    { topic, latest, ms, checkedAt }: Waiting,
    { request, reply: { raw } }: Exchange,
  ): Promise<boolean> {
    if (this.isStopping || raw.destroyed || request.raw.socket.destroyed) return false;
    // The notification found no wait of this request.
    if (endingsOf(caller).some((id) => (this.endedAt.get(id) ?? 0) >= checkedAt)) return true;
    const { promise, resolve } = withResolver<boolean>();
    const end = (): void => resolve(false);
    const wake = (): void => resolve(true);
    const wait: Wait = { ...caller, end, wake };
    this.seat(wait);
    stopCountingAsOpen(request.raw);
    const timer = setTimeout(end, ms);
    raw.once('close', end);
    const seen = versionOfFeed(topic, latest);
    const stopWatching = this.updates.watch(caller.accountId, { topics: [topic], seen, notify: wake });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      raw.off('close', end);
      stopWatching();
      this.waits.delete(wait);
      this.seats.leave(wait);
    }
  }

  /** Without this, a shutdown would wait for every open response. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const wait of this.waits) wait.end();
  }

  private checkTokens(endedId: string): void {
    this.endedAt.set(endedId, performance.now());
    for (const wait of this.waits) if (endingsOf(wait).includes(endedId)) wait.wake();
  }

  private seat(wait: Wait): void {
    const seating = this.seats.take(wait);
    if (!seating.seated) {
      this.refusals.count('waiting_requests');
      throw new TooMany('too_many_waiting', TOO_MANY_WAITING, 30);
    }
    this.waits.add(wait);
    if (!seating.unseated) return;
    this.refusals.count('waiting_requests');
    seating.unseated.end();
  }
}

/** Replaces `Promise.withResolvers`, which needs Node 22. */
function withResolver<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((each) => (resolve = each));
  return { promise, resolve };
}
