import { TooMany } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { LiveUpdatesService } from '../layers/live/live-updates.service.js';
import { type Seat, StreamSeats } from '../layers/live/stream-seats.js';
import { CHANGES, versionOfChanges } from '../layers/live/topics.service.js';
import { stopCountingAsOpen } from '../layers/edge/address-limits.js';
import { RefusalCounter } from '../layers/edge/refusal-counter.js';
import type { AuthenticatedRequest, Caller } from '../layers/edge/caller.js';

interface Wait extends Seat, Pick<Caller, 'grantId' | 'applicationId'> {
  readonly end: () => void;
  /** The request checks its token and reads again. */
  readonly wake: () => void;
}

const TOO_MANY_WAITING =
  'Too many requests of this account are waiting for changes. Send the request without `wait`, or try again later.';

/** More than end while a request reads a page. */
const MAX_RECENTLY_ENDED = 10_000;

/** An empty id means that any access may have ended. */
const endingsOf = ({ grantId, applicationId }: Pick<Caller, 'grantId' | 'applicationId'>): string[] => [
  '',
  grantId,
  ...(applicationId === null ? [] : [applicationId]),
];

export interface Exchange {
  readonly request: AuthenticatedRequest;
  readonly reply: FastifyReply;
}

/**
 * Long polls: requests that wait for a change, limited per agent and per account. A commit costs one query per account,
 * however many requests wait.
 */
@Injectable()
export class ChangeWaitsService implements BeforeApplicationShutdown {
  private readonly waits = new Set<Wait>();
  private readonly seats: StreamSeats<Wait>;
  private isStopping = false;
  /** When the access of a grant or an application ended, by its id. */
  private readonly endedAt = new LRUCache<string, number>({ max: MAX_RECENTLY_ENDED });

  constructor(
    private readonly updates: LiveUpdatesService,
    private readonly refusals: RefusalCounter,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    const { LIVE_STREAMS_PER_AGENT: perAgent, LIVE_STREAMS_PER_ACCOUNT: perAccount } = settings;
    this.seats = new StreamSeats({ perAgent, perAccount });
    updates.onAccessEnded((id) => this.checkTokens(id));
  }

  get waiting(): number {
    return this.waits.size;
  }

  /**
   * Waits for a change after the `latest` that the client has received, or until the token may have been revoked since
   * `checkedAt`. False if the time is up, the client has gone, or a newer wait took the seat.
   */
  async forChange(
    caller: Caller,
    { latest, ms, checkedAt }: { readonly latest: string; readonly ms: number; readonly checkedAt: number },
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
    const seen = versionOfChanges(latest);
    const stopWatching = this.updates.watch(caller.accountId, { topics: [CHANGES], seen, notify: wake });
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
