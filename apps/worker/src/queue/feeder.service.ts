import type { QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { Journal } from '../telemetry/journal.js';
import type { FeedRow } from './feed.statement.js';
import { OwedDeliveries } from './owed-deliveries.js';
import { QueueWindow } from './queue-window.js';

/** Webhooks looked at in one round; more of them take more rounds. */
const PAGE = 500;

/** Deliveries in the queue at once for a webhook that keeps us waiting: a probe. */
const MOST_PER_SLOW_WEBHOOK = 2;

/** While there is a backlog, it is taken in portions of this size, not bit by bit as room appears. */
const PORTION = 500;

const IDLE_MS = 250;
const BUSY_MS = 25;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps the queue filled from what is owed and due: retries, what found no room when it was fresh, what a paused
 * webhook held, and what was lost between PostgreSQL and the queue. It is all one: a row whose time has come.
 * Per round, for up to 500 deliveries: PostgreSQL 1, Redis 2 at once, and 1 to add them. Idle: 4 rounds
 * a second, which read next to nothing.
 */
@Injectable()
export class Feeder {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.journal.interrupted('the feeder starts over', error),
    // After PostgreSQL was away, workers first say what they did and what they still hold; leases ran out meanwhile.
    errorPauseMs: 2_000,
  });
  private afterWebhook = BEFORE_ALL;
  private hasBacklog = false;

  constructor(
    private readonly owed: OwedDeliveries,
    private readonly window: QueueWindow,
    private readonly journal: Journal,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<number> {
    const { bulk: room } = await this.window.room();
    if (this.hasBacklog && room < PORTION) return BUSY_MS;
    const portion = Math.min(room, PORTION);
    const leasedUntil = this.owed.leasedUntil();
    const rows = await this.feed(portion, leasedUntil);
    const { mine, webhooks, lastWebhook, found } = rows[0]!;
    const isWholePage = webhooks === PAGE;
    this.afterWebhook = isWholePage && lastWebhook !== null ? lastWebhook : BEFORE_ALL;
    this.journal.sweepFound(found);
    const deliveries = rows.filter(isFed).map(asQueued);
    this.journal.fed(deliveries.length);
    this.hasBacklog = deliveries.length > 0 && deliveries.length >= portion;
    await this.window.put('bulk', deliveries, leasedUntil);
    if (found > 0 || isWholePage || this.hasBacklog) return 0;
    return deliveries.length > 0 || !mine || room === 0 ? BUSY_MS : IDLE_MS;
  }

  private feed(room: number, leasedUntil: Date): Promise<FeedRow[]> {
    const { afterWebhook } = this;
    return this.owed.feed({ afterWebhook, webhooks: PAGE, perSlowWebhook: MOST_PER_SLOW_WEBHOOK, room, leasedUntil });
  }
}

function isFed(row: FeedRow): row is FeedRow & QueuedDelivery {
  return row.deliveryId !== null;
}

function asQueued({ deliveryId, eventId, attempts }: QueuedDelivery): QueuedDelivery {
  return { deliveryId, eventId, attempts };
}
