import { Clock, Database } from '#libs/database';
import type { Lane, QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { BULK_A_SECOND_BESIDE_EXPRESS } from '../fairness/pace.js';
import { Loop } from '../loop.js';
import { LEASE_MS } from '../queue/owed-deliveries.js';
import { QueueWindow } from '../queue/queue-window.js';
import { Journal } from '../telemetry/journal.js';
import { CLAIM, type Claim, type ClaimLimits, type ClaimRow, type Leased, claimValues } from './claim.statement.js';
import { ExpressAllowance } from '../fairness/express-allowance.js';

/** Small enough that whoever commits during a round does not wait long for the next; of larger ones the rows are hardly cheaper. */
const LIMITS: ClaimLimits = {
  accounts: 200,
  events: 250,
  // A little more than is express, so that who has more at once is known as one that bursts before it is a burden.
  eventsPerAccount: 60,
  webhooks: 1_000,
  expressPerAccount: 50,
};
/** While there is nobody but those who burst, a round has more to give and keeps nobody waiting. */
const LIMITS_OF_BURSTS: ClaimLimits = { ...LIMITS, events: 1_000, eventsPerAccount: 1_000, expressPerAccount: 0 };
const BESIDE_OTHERS_FOR_MS = 1_000;
const BREATH_BESIDE_OTHERS_MS = 60;
/**
 * Else it is short, because it takes processor time from others, here and in PostgreSQL, in one piece. It brings as many
 * as one process begins until the next: if they came faster, all the room for them would be filled at once.
 */
const LIMITS_BESIDE_OTHERS: ClaimLimits = {
  ...LIMITS_OF_BURSTS,
  events: Math.ceil((BULK_A_SECOND_BESIDE_EXPRESS * BREATH_BESIDE_OTHERS_MS) / 1_000),
};

/** The bell calls; this is how long an event waits where the bell cannot be heard. */
const POLL_MS = 250;
/** There are events, but another relay holds them, or they wait until there is room for bulk. */
const LOOK_AGAIN_MS = 15;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Makes what was recorded owed, and hands what may go at once to the queue. Accounts that burst have rounds of their own,
 * beside those of all the others, which therefore never wait for one.
 * Per round, for up to 250 events: PostgreSQL 1, Redis 1 for each 500 deliveries (and 2 at once for the size of the queue,
 * at most every 50 ms).
 */
@Injectable()
export class Relay {
  private readonly ofBursts: Walk = { isForHeavy: true, afterAccount: BEFORE_ALL, putting: Promise.resolve() };
  private readonly ofOthers: Walk = { isForHeavy: false, afterAccount: BEFORE_ALL, putting: Promise.resolve() };
  private readonly bursts = this.loopOf(this.ofBursts);
  private readonly others = this.loopOf(this.ofOthers);
  private readonly express = new ExpressAllowance();
  private lastOthersAt = new Date(0);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly window: QueueWindow,
    private readonly journal: Journal,
  ) {}

  start(): void {
    this.others.start();
    this.bursts.start();
  }

  /** Something was committed. */
  wake(): void {
    this.others.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([this.others.stop(), this.bursts.stop()]);
    await Promise.all([this.ofOthers.putting, this.ofBursts.putting]);
  }

  private loopOf(walk: Walk): Loop {
    return new Loop({
      round: () => (walk.isForHeavy ? this.roundOfBursts() : this.round(walk)),
      onError: (error) => this.journal.interrupted('the relay starts over', error),
    });
  }

  /** The bell does not call for these: it rings for everybody. Nothing is asked while there are none, or no room for them. */
  private async roundOfBursts(): Promise<number> {
    const now = this.clock.now();
    if (this.express.heavy(now).length === 0) return POLL_MS;
    const { bulk } = await this.window.room();
    if (bulk > 0) return this.breath(now, await this.round(this.ofBursts));
    this.express.keepHeavy(now);
    return LOOK_AGAIN_MS;
  }

  private breath(now: Date, askedMs: number): number {
    return this.isAlone(now) ? Math.min(LOOK_AGAIN_MS, askedMs) : BREATH_BESIDE_OTHERS_MS;
  }

  private async round(walk: Walk): Promise<number> {
    const now = this.clock.now();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const limits = walk.isForHeavy ? this.limitsOfBursts(now) : LIMITS;
    const rows = await this.claim(walk, limits, { now, leasedUntil, heavyAccounts: this.express.heavy(now) });
    const summary = rows[0]!;
    const { accounts, lastAccount, events, deliveries, oldestEventId } = summary;
    walk.afterAccount = accounts === LIMITS.accounts && lastAccount !== null ? lastAccount : BEFORE_ALL;
    await walk.putting;
    const lanes = this.split(rows.filter(isLeased), now);
    if (lanes.express.length > 0) this.lastOthersAt = now;
    if (lanes.bulk.length > 0 && !walk.isForHeavy) this.bursts.wake();
    walk.putting = this.put(lanes, leasedUntil);
    if (events === 0) return accounts > 0 ? LOOK_AGAIN_MS : POLL_MS;
    this.journal.relayed({ events, deliveries, oldestEventId, now });
    return mayHaveLeft(summary, limits) ? 0 : LOOK_AGAIN_MS;
  }

  private async claim(
    { isForHeavy, afterAccount }: Walk,
    usual: ClaimLimits,
    when: Pick<Claim, 'now' | 'leasedUntil' | 'heavyAccounts'>,
  ): Promise<ClaimRow[]> {
    const room = await this.window.room();
    const limits = room.open ? usual : { ...usual, expressPerAccount: 0 };
    const values = claimValues({ ...when, isForHeavy, afterAccount, limits, bulkRoom: room.bulk });
    return this.database.system().rows<ClaimRow>(CLAIM, values);
  }

  private limitsOfBursts(now: Date): ClaimLimits {
    return this.isAlone(now) ? LIMITS_OF_BURSTS : LIMITS_BESIDE_OTHERS;
  }

  private isAlone(now: Date): boolean {
    return now.getTime() - this.lastOthersAt.getTime() > BESIDE_OTHERS_FOR_MS;
  }

  private async put({ express, bulk }: Record<Lane, QueuedDelivery[]>, leasedUntil: Date): Promise<void> {
    await this.window.put('express', express, leasedUntil);
    await this.window.put('bulk', bulk, leasedUntil);
  }

  /** What one account has in a round travels in one lane. */
  private split(leased: readonly Leased[], now: Date): Record<Lane, QueuedDelivery[]> {
    const lanes: Record<Lane, QueuedDelivery[]> = { express: [], bulk: [] };
    for (const [accountId, deliveries] of byAccount(leased)) {
      const lane = this.express.take(accountId, deliveries.length, now) ? 'express' : 'bulk';
      for (const { deliveryId, eventId } of deliveries) lanes[lane].push({ deliveryId, eventId, attempts: 0 });
    }
    return lanes;
  }
}

/** The accounts of one kind, taken page by page. */
interface Walk {
  readonly isForHeavy: boolean;
  afterAccount: string;
  /** Under way while the next round already claims. */
  putting: Promise<void>;
}

/**
 * Whether a limit was met. Where none was, there is only what is committed meanwhile, and for that the bell rings: to ask
 * at once would be a second question for every event that comes alone.
 */
function mayHaveLeft({ accounts, events, deliveries }: ClaimRow, limits: ClaimLimits): boolean {
  const share = Math.min(limits.eventsPerAccount, Math.floor(limits.events / accounts));
  return accounts === limits.accounts || events >= share || deliveries >= limits.webhooks;
}

function isLeased(row: ClaimRow): row is ClaimRow & Leased {
  return row.deliveryId !== null;
}

function byAccount(leased: readonly Leased[]): Map<string, Leased[]> {
  const accounts = new Map<string, Leased[]>();
  for (const one of leased) {
    const known = accounts.get(one.accountId);
    if (known) known.push(one);
    else accounts.set(one.accountId, [one]);
  }
  return accounts;
}
