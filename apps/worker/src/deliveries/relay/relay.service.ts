import { Clock, Database, NIL_UUID, later } from '#libs/database';
import {
  type ClaimSummary,
  type ClaimedDelivery,
  BURST,
  ExpressAllowance,
  LATE_AFTER_MS,
  LEASE_MS,
  type QueueKind,
  type QueuedDelivery,
  claimEvents,
  costOf,
  leaveToRelay,
  readLateEvents,
} from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { TICK_MS } from '../limits/delivery-slot-limiter.js';
import { BoundedQueue, MAX_ROUND } from '../queue/bounded-queue.js';

/**
 * Turns events into owed deliveries that were not handed over at their commit, or whose worker was killed. Adds the jobs
 * that are missing because an API was killed or Redis was lost. Round trips for up to 250 deliveries: PostgreSQL 2, Redis 3.
 */
@Injectable()
export class RelayService {
  readonly loop = new Loop({
    round: () => this.permittedRound(),
    onError: (error) => this.telemetry.interrupted('the relay failed and will retry', error),
  });
  private readonly allowance = new ExpressAllowance();
  private afterAccount = NIL_UUID;
  private afterLate = NIL_UUID;
  private lateReadAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly queue: BoundedQueue,
    private readonly telemetry: WorkerMetrics,
  ) {}

  private async permittedRound(): Promise<number> {
    const room = await this.queue.room();
    if (room === undefined) return UNTIL_WOKEN;
    await this.takeLateEvents();
    if (room > 0) return this.round(Math.min(room, MAX_ROUND), []);
    // Bursts wait for room in the bulk queue. The events of other accounts are express.
    const bursting = this.allowance.spendExhausted(performance.now());
    const pauseMs = await this.round(BURST, bursting);
    return bursting.length > 0 ? Math.min(TICK_MS, pauseMs) : pauseMs;
  }

  /** A job looks after its event, unless its worker was killed. Pages take turns, because events may wait for workers. */
  private async takeLateEvents(): Promise<void> {
    if (performance.now() - this.lateReadAt < LATE_AFTER_MS) return;
    this.lateReadAt = performance.now();
    const page = { now: this.clock.now(), after: this.afterLate, limit: MAX_ROUND };
    const late = await readLateEvents(this.database.system(), page);
    this.afterLate = (late.length === MAX_ROUND && late.at(-1)) || NIL_UUID;
    if (late.length > 0) await leaveToRelay(this.database.system(), await this.queue.addMissing(late));
  }

  private async round(room: number, exceptAccounts: readonly string[]): Promise<number> {
    const now = this.clock.now();
    const leasedUntil = later(now, LEASE_MS);
    const request = { afterAccount: this.afterAccount, exceptAccounts, room, now, leasedUntil };
    const { claimed, ...summary } = await claimEvents(this.database.system(), request);
    const { accounts, lastAccount, events, deliveries, oldestEventId } = summary;
    this.afterAccount = accounts === room && lastAccount !== null ? lastAccount : NIL_UUID;
    const { express, bulk } = this.splitByQueue(claimed);
    await this.queue.add('express', express, leasedUntil);
    await this.queue.add('bulk', bulk, leasedUntil);
    if (events === 0) return accounts > 0 ? TICK_MS : UNTIL_WOKEN;
    this.telemetry.relayed({ events, deliveries, oldestEventId, now });
    return mayHaveMore(summary, room) ? 0 : UNTIL_WOKEN;
  }

  private splitByQueue(claimed: readonly ClaimedDelivery[]): Record<QueueKind, QueuedDelivery[]> {
    const byQueue: Record<QueueKind, QueuedDelivery[]> = { express: [], bulk: [] };
    const now = performance.now();
    for (const [accountId, deliveries] of groupByAccount(claimed)) {
      const events = new Set(deliveries.map(({ eventId }) => eventId)).size;
      const isExpress = this.allowance.spend(accountId, costOf({ events, deliveries: deliveries.length }), now);
      const queueKind = isExpress ? 'express' : 'bulk';
      for (const { deliveryId, eventId } of deliveries) byQueue[queueKind].push({ deliveryId, eventId, attempts: 0 });
    }
    return byQueue;
  }
}

/** Below the limits only new commits can follow, and the pulse finds them. */
const mayHaveMore = ({ accounts, events, deliveries }: ClaimSummary, room: number): boolean =>
  accounts === room || events >= Math.floor(room / accounts) || deliveries >= room;

function groupByAccount(claimed: readonly ClaimedDelivery[]): Map<string, ClaimedDelivery[]> {
  const accounts = new Map<string, ClaimedDelivery[]>(claimed.map(({ accountId }) => [accountId, []]));
  for (const one of claimed) accounts.get(one.accountId)!.push(one);
  return accounts;
}
