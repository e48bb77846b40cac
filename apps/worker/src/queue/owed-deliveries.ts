import { Clock, Database, systemStatement } from '#libs/database';
import type { QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../micro-batch.js';
import { FEED, type FeedRow } from './feed.statement.js';

/**
 * A delivery that was queued and not heard of again is owed anew after this. It bounds what a process costs that died
 * with it, or between writing to PostgreSQL and to the queue. A job that waits longer is good for nothing any more.
 */
export const LEASE_MS = 10_000;

/** What is left of a lease when work under it may begin: time enough for LeaseKeeper to renew it. */
export const LEASE_MARGIN_MS = 3_000;

/** Time for every worker to notice that the queue forgot, and to say what it is still working on. */
const RECLAIM_AFTER_MS = 1_500;

/** One feeder at a time, in the whole installation. */
const FEEDER_LOCK = 7_311_530_942;

/** Says which attempt of a delivery is meant, so that a word that comes late changes nothing. */
export type Held = Pick<QueuedDelivery, 'deliveryId' | 'attempts'>;

export interface FeedLimits {
  readonly afterWebhook: string;
  readonly webhooks: number;
  readonly perSlowWebhook: number;
  readonly room: number;
  readonly leasedUntil: Date;
}

const GIVE_BACK = systemStatement(
  'owed_give_back',
  'A batch holds deliveries of many accounts; each is named by its own id',
  `update owed_deliveries o set queued = false, feed_at = r.feed_at
   from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as r(delivery_id, attempts, feed_at)
   where o.delivery_id = r.delivery_id and o.attempts = r.attempts and o.queued`,
);

const FORGET = systemStatement(
  'owed_forget',
  'A wiped queue forgot the deliveries of every account',
  'update owed_deliveries set queued = false, feed_at = $1 where queued returning 1',
);

/** Only what is still at that attempt: what was recorded meanwhile has another, and must rest until it is due. */
const KEEP = systemStatement(
  'owed_keep',
  'A worker holds deliveries of many accounts in its hands',
  `update owed_deliveries o set queued = true, feed_at = $3
   from unnest($1::uuid[], $2::int[]) as r(delivery_id, attempts)
   where o.delivery_id = r.delivery_id and o.attempts = r.attempts and (o.queued or $4)`,
);

/** What is owed, and which of it is in the queue. Each call is one round trip to PostgreSQL. */
@Injectable()
export class OwedDeliveries {
  private readonly returned = new MicroBatch<{ held: Held; at: Date }, void>({
    work: async (items) => {
      await this.release(items);
      return [];
    },
    maxItems: 500,
    maxAtOnce: 1,
    lingerMs: 5,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  leasedUntil(): Date {
    return this.later(LEASE_MS);
  }

  /** Leases what is due, as far as there is room for it in the queue. */
  feed({ afterWebhook, webhooks, perSlowWebhook, room, leasedUntil }: FeedLimits): Promise<FeedRow[]> {
    const values = [afterWebhook, webhooks, this.clock.now(), leasedUntil, perSlowWebhook, room, FEEDER_LOCK];
    return this.database.system().rows<FeedRow>(FEED, values);
  }

  /** Owed again at once. Never rejects: should it fail, the leases run out. */
  async giveBack(held: readonly Held[]): Promise<void> {
    const at = this.clock.now();
    await this.release(held.map((one) => ({ held: one, at }))).catch(() => undefined);
  }

  /** The same for one, from a later moment on, written together with others. */
  async giveBackOne(held: Held, forMs: number): Promise<void> {
    await this.returned.run({ held, at: this.later(forMs) }).catch(() => undefined);
  }

  /**
   * Everything that was in the queue is owed again; a moment later, so that the workers can first say what they hold.
   * Answers how much that was.
   */
  async forgetQueued(): Promise<number> {
    return (await this.database.system().rows(FORGET, [this.later(RECLAIM_AFTER_MS)])).length;
  }

  /** Is being worked on, whatever the queue says. */
  keep(held: readonly Held[]): Promise<void> {
    return this.write(held, { evenIfForgotten: true });
  }

  /** Is still being worked on; unless it was given away in the meantime. */
  renew(held: readonly Held[]): Promise<void> {
    return this.write(held, { evenIfForgotten: false });
  }

  private async write(held: readonly Held[], { evenIfForgotten }: { evenIfForgotten: boolean }): Promise<void> {
    if (held.length === 0) return;
    const ids = held.map(({ deliveryId }) => deliveryId);
    const attempts = held.map((one) => one.attempts);
    await this.database.system().rows(KEEP, [ids, attempts, this.leasedUntil(), evenIfForgotten]);
  }

  private later(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }

  private async release(items: readonly { held: Held; at: Date }[]): Promise<void> {
    await this.database
      .system()
      .rows(GIVE_BACK, [
        items.map(({ held }) => held.deliveryId),
        items.map(({ held }) => held.attempts),
        items.map(({ at }) => at),
      ]);
  }
}
