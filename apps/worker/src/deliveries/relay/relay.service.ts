import { Clock, NIL_UUID, later } from '#libs/database';
import {
  type ClaimLimits,
  type ClaimRequest,
  type ClaimSummary,
  type ClaimedDelivery,
  type QueueKind,
  type QueuedDelivery,
} from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { BoundedQueue } from '../queue/bounded-queue.js';
import { WorkPermitService } from '../queue/work-permit.service.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { ExpressAllowance } from '../limits/express-allowance.js';
import {
  CLAIM_LIMITS,
  EXPRESS_IDLE_AFTER_MS,
  BURSTING_CLAIM_LIMITS,
  BURSTING_CLAIM_LIMITS_BESIDE_EXPRESS,
  BURSTING_PAUSE_BESIDE_EXPRESS_MS,
  LEASE_MS,
  RELAY_RETRY_MS,
  WORK_PERMIT_CHECK_MS,
} from '../limits/limits.js';
import { EventClaimsService } from '../queue/event-claims.service.js';

/**
 * Bursting accounts have their own rounds, so others never wait for them. Round trips for up to 250 events: PostgreSQL
 * 1, Redis 1 for up to 1,250 bulk deliveries, and at most every 50 ms 2 for the queue size.
 */
@Injectable()
export class RelayService {
  private readonly burstingCursor = newCursor(true);
  private readonly othersCursor = newCursor(false);
  private readonly burstingLoop = this.newLoop(this.burstingCursor);
  private readonly othersLoop = this.newLoop(this.othersCursor);
  /** The bell of a recovered account may have been ignored. */
  private readonly express = new ExpressAllowance(() => this.othersLoop.wake());
  private lastExpressAt = new Date(0);

  constructor(
    private readonly claims: EventClaimsService,
    private readonly clock: Clock,
    private readonly window: BoundedQueue,
    private readonly permit: WorkPermitService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.othersLoop.start();
    this.burstingLoop.start();
  }

  /** An empty list means any account. Bursting accounts are polled instead. */
  wake(accountIds: readonly string[]): void {
    if (!this.express.areBursting(accountIds, this.clock.now())) this.othersLoop.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([this.othersLoop.stop(), this.burstingLoop.stop()]);
    await Promise.all([this.othersCursor.adding, this.burstingCursor.adding]);
  }

  private newLoop(cursor: AccountCursor): Loop {
    return new Loop({
      round: () => this.permittedRound(cursor),
      onError: (error) => this.telemetry.interrupted('the relay failed and will try again', error),
    });
  }

  private async permittedRound(cursor: AccountCursor): Promise<number> {
    if (!this.permit.isGiven) return WORK_PERMIT_CHECK_MS;
    return cursor.isForBursting ? this.burstingRound() : this.round(cursor);
  }

  private async burstingRound(): Promise<number> {
    const now = this.clock.now();
    if (this.express.burstingAccounts(now).length === 0) return UNTIL_WOKEN;
    const { bulk } = await this.window.capacity();
    if (bulk > 0) return this.burstingPauseMs(now, await this.round(this.burstingCursor));
    this.express.refreshBursting(now);
    return RELAY_RETRY_MS;
  }

  private burstingPauseMs(now: Date, askedMs: number): number {
    return this.isExpressIdle(now) ? Math.min(RELAY_RETRY_MS, askedMs) : BURSTING_PAUSE_BESIDE_EXPRESS_MS;
  }

  private async round(cursor: AccountCursor): Promise<number> {
    const now = this.clock.now();
    const leasedUntil = later(now, LEASE_MS);
    const limits = cursor.isForBursting ? this.burstingLimits(now) : CLAIM_LIMITS;
    const burstingAccounts = this.express.burstingAccounts(now);
    const { claimed, ...summary } = await this.claim(cursor, limits, { now, leasedUntil, burstingAccounts });
    const { accounts, lastAccount, events, deliveries, oldestEventId } = summary;
    cursor.afterAccount = accounts === CLAIM_LIMITS.accounts && lastAccount !== null ? lastAccount : NIL_UUID;
    await cursor.adding;
    const byQueue = this.splitByQueue(claimed, now);
    if (byQueue.express.length > 0) this.lastExpressAt = now;
    if (byQueue.bulk.length > 0 && !cursor.isForBursting) this.burstingLoop.wake();
    cursor.adding = this.addToQueue(byQueue, leasedUntil);
    if (events === 0) return accounts > 0 ? RELAY_RETRY_MS : UNTIL_WOKEN;
    this.telemetry.relayed({ events, deliveries, oldestEventId, now });
    return mayHaveMore(summary, limits) ? 0 : UNTIL_WOKEN;
  }

  private async claim(
    { isForBursting, afterAccount }: AccountCursor,
    usual: ClaimLimits,
    when: Pick<ClaimRequest, 'now' | 'leasedUntil' | 'burstingAccounts'>,
  ) {
    const room = await this.window.capacity();
    const limits = room.isOpen ? usual : { ...usual, expressPerAccount: 0 };
    const request = { ...when, isForBursting, afterAccount, limits, bulkCapacity: room.bulk };
    return this.claims.claim(request);
  }

  private burstingLimits(now: Date): ClaimLimits {
    return this.isExpressIdle(now) ? BURSTING_CLAIM_LIMITS : BURSTING_CLAIM_LIMITS_BESIDE_EXPRESS;
  }

  private isExpressIdle(now: Date): boolean {
    return now.getTime() - this.lastExpressAt.getTime() > EXPRESS_IDLE_AFTER_MS;
  }

  private async addToQueue({ express, bulk }: Record<QueueKind, QueuedDelivery[]>, leasedUntil: Date): Promise<void> {
    await this.window.add('express', express, leasedUntil);
    await this.window.add('bulk', bulk, leasedUntil);
  }

  private splitByQueue(claimed: readonly ClaimedDelivery[], now: Date): Record<QueueKind, QueuedDelivery[]> {
    const byQueue: Record<QueueKind, QueuedDelivery[]> = { express: [], bulk: [] };
    for (const [accountId, deliveries] of groupByAccount(claimed)) {
      const events = new Set(deliveries.map(({ eventId }) => eventId)).size;
      const queueKind = this.express.take(accountId, { deliveries: deliveries.length, events }, now)
        ? 'express'
        : 'bulk';
      for (const { deliveryId, eventId } of deliveries) byQueue[queueKind].push({ deliveryId, eventId, attempts: 0 });
    }
    return byQueue;
  }
}

interface AccountCursor {
  readonly isForBursting: boolean;
  afterAccount: string;
  /** The next round may claim while this one adds to the queue. */
  adding: Promise<void>;
}

function newCursor(isForBursting: boolean): AccountCursor {
  return { isForBursting, afterAccount: NIL_UUID, adding: Promise.resolve() };
}

/** Below the limits only new commits can follow, and they ring the bell. */
function mayHaveMore({ accounts, events, deliveries }: ClaimSummary, limits: ClaimLimits): boolean {
  const share = Math.min(limits.eventsPerAccount, Math.floor(limits.events / accounts));
  return accounts === limits.accounts || events >= share || deliveries >= limits.webhooks;
}

function groupByAccount(claimed: readonly ClaimedDelivery[]): Map<string, ClaimedDelivery[]> {
  const accounts = new Map<string, ClaimedDelivery[]>(claimed.map(({ accountId }) => [accountId, []]));
  for (const one of claimed) accounts.get(one.accountId)!.push(one);
  return accounts;
}
