import { Clock, Database } from '#libs/database';
import type { Lane, QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { LEASE_MS } from '../queue/owed-deliveries.js';
import { QueueWindow } from '../queue/queue-window.js';
import { Journal } from '../telemetry/journal.js';
import { CLAIM, type ClaimLimits, type ClaimRow, type Leased, claimValues } from './claim.statement.js';
import { ExpressAllowance } from './express-allowance.js';

/** Small enough that whoever commits during a round does not wait long for the next; of larger ones the rows are hardly cheaper. */
const LIMITS: ClaimLimits = { accounts: 200, events: 250, webhooks: 1_000, expressPerAccount: 50 };
/** While there is nobody but those who burst, a round has more to give and keeps nobody waiting. */
const LIMITS_OF_BURSTS: ClaimLimits = { ...LIMITS, events: 1_000 };

/** The bell calls; this is how long an event waits where the bell cannot be heard. */
const POLL_MS = 250;
/** There are events, but another relay holds them, or they wait until there is room for bulk. */
const LOOK_AGAIN_MS = 15;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Makes what was recorded owed, and hands what may go at once to the queue.
 * Per round, for up to 250 events: PostgreSQL 1, Redis 1 for each 500 deliveries (and 2 at once for the size of the queue,
 * at most every 50 ms).
 */
@Injectable()
export class Relay {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.journal.interrupted('the relay starts over', error),
  });
  private readonly express = new ExpressAllowance();
  private afterAccount = BEFORE_ALL;
  private isAllBurst = false;
  /** Under way while the next round already claims. */
  private putting: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly window: QueueWindow,
    private readonly journal: Journal,
  ) {}

  start(): void {
    this.loop.start();
  }

  /** Something was committed. */
  wake(): void {
    this.loop.wake();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.putting;
  }

  private async round(): Promise<number> {
    const now = this.clock.now();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const rows = await this.claim(now, leasedUntil);
    const { accounts, lastAccount, events, deliveries, oldestEventId } = rows[0]!;
    this.afterAccount = accounts === LIMITS.accounts && lastAccount !== null ? lastAccount : BEFORE_ALL;
    await this.putting;
    const lanes = this.split(rows.filter(isLeased), now);
    this.isAllBurst = lanes.express.length === 0 && (lanes.bulk.length > 0 || accounts > 0);
    this.putting = this.put(lanes, leasedUntil);
    if (events === 0) return accounts > 0 ? LOOK_AGAIN_MS : POLL_MS;
    this.journal.relayed({ events, deliveries, oldestEventId, now });
    return 0;
  }

  private async claim(now: Date, leasedUntil: Date): Promise<ClaimRow[]> {
    const room = await this.window.room();
    const usual = this.isAllBurst ? LIMITS_OF_BURSTS : LIMITS;
    const limits = room.open ? usual : { ...usual, expressPerAccount: 0 };
    const { afterAccount } = this;
    const heavyAccounts = this.express.heavy(now);
    const values = claimValues({ afterAccount, limits, now, leasedUntil, bulkRoom: room.bulk, heavyAccounts });
    return this.database.system().rows<ClaimRow>(CLAIM, values);
  }

  private async put({ express, bulk }: Record<Lane, QueuedDelivery[]>, leasedUntil: Date): Promise<void> {
    await this.window.put('express', express, leasedUntil);
    await this.window.put('bulk', bulk, leasedUntil);
  }

  private split(leased: readonly Leased[], now: Date): Record<Lane, QueuedDelivery[]> {
    const lanes: Record<Lane, QueuedDelivery[]> = { express: [], bulk: [] };
    for (const { deliveryId, accountId, eventId } of leased) {
      const lane = this.express.take(accountId, now) ? 'express' : 'bulk';
      lanes[lane].push({ deliveryId, eventId, attempts: 0 });
    }
    return lanes;
  }
}

function isLeased(row: ClaimRow): row is ClaimRow & Leased {
  return row.deliveryId !== null;
}
