import { Clock, Database, systemStatement } from '#libs/database';
import type { QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../micro-batch.js';
import { FEED, type FeedRow } from './feed.statements.js';

/**
 * A delivery that was queued and not heard of again is owed anew after this. It bounds what a process costs that died
 * with it, or between writing to PostgreSQL and to the queue. A job that waits longer is good for nothing any more.
 */
export const LEASE_MS = 10_000;

/** What is left of a lease when work under it may begin: time enough for LeaseRenewer to renew it. */
export const LEASE_MARGIN_MS = 3_000;

/** Time for every worker to notice that the queue forgot, and to say what it is still working on. */
const RELEASED_DUE_AFTER_MS = 1_500;

/** One feeder at a time, in the whole installation. */
const FEEDER_LOCK = 7_311_530_942;

/** Says which attempt of a delivery is meant, so that a word that comes late changes nothing. */
export type AttemptRef = Pick<QueuedDelivery, 'deliveryId' | 'attempts'>;

export interface FeedLimits {
  readonly afterWebhook: string;
  readonly webhooks: number;
  readonly perSlowWebhook: number;
  readonly capacity: number;
  readonly leasedUntil: Date;
}

const GIVE_BACK = systemStatement(
  'owed_give_back',
  'A batch holds deliveries of many accounts; each is named by its own id',
  `update owed_deliveries o set queued = false, feed_at = r.feed_at
   from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as r(delivery_id, attempts, feed_at)
   where o.delivery_id = r.delivery_id and o.attempts = r.attempts and o.queued`,
);

const RELEASE_ALL = systemStatement(
  'owed_forget',
  'A wiped queue forgot the deliveries of every account',
  'update owed_deliveries set queued = false, feed_at = $1 where queued returning 1',
);

/** Only what is still at that attempt: what was recorded meanwhile has another, and must rest until it is due. */
const EXTEND_LEASES = systemStatement(
  'owed_keep',
  'A worker holds deliveries of many accounts in its hands',
  `update owed_deliveries o set queued = true, feed_at = $3
   from unnest($1::uuid[], $2::int[]) as r(delivery_id, attempts)
   where o.delivery_id = r.delivery_id and o.attempts = r.attempts and (o.queued or $4)`,
);

/** What is owed, and which of it is in the queue. Each call is one round trip to PostgreSQL. */
@Injectable()
export class OwedDeliveries {
  private readonly releases = new MicroBatch<{ ref: AttemptRef; at: Date }, void>({
    work: async (items) => {
      await this.release(items);
      return [];
    },
    maxItems: 500,
    maxConcurrent: 1,
    lingerMs: 5,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  leasedUntil(): Date {
    return this.clock.in(LEASE_MS);
  }

  /** Leases what is due, as far as there is room for it in the queue. */
  leaseDue({ afterWebhook, webhooks, perSlowWebhook, capacity, leasedUntil }: FeedLimits): Promise<FeedRow[]> {
    const values = [afterWebhook, webhooks, this.clock.now(), leasedUntil, perSlowWebhook, capacity, FEEDER_LOCK];
    return this.database.system().rows<FeedRow>(FEED, values);
  }

  /** Owed again at once. Never rejects: should it fail, the leases run out. */
  async giveBack(refs: readonly AttemptRef[]): Promise<void> {
    const at = this.clock.now();
    await this.release(refs.map((ref) => ({ ref, at }))).catch(() => undefined);
  }

  /** The same for one, from a later moment on, written together with others. */
  async giveBackOne(ref: AttemptRef, forMs: number): Promise<void> {
    await this.releases.run({ ref, at: this.clock.in(forMs) }).catch(() => undefined);
  }

  /**
   * Everything that was in the queue is owed again; a moment later, so that the workers can first say what they hold.
   * Answers how much that was.
   */
  async releaseAllQueued(): Promise<number> {
    return (await this.database.system().rows(RELEASE_ALL, [this.clock.in(RELEASED_DUE_AFTER_MS)])).length;
  }

  /** Is being worked on, whatever the queue says. */
  reclaim(refs: readonly AttemptRef[]): Promise<void> {
    return this.extendLeases(refs, { evenIfForgotten: true });
  }

  /** Is still being worked on; unless it was given away in the meantime. */
  renew(refs: readonly AttemptRef[]): Promise<void> {
    return this.extendLeases(refs, { evenIfForgotten: false });
  }

  private async extendLeases(
    refs: readonly AttemptRef[],
    { evenIfForgotten }: { evenIfForgotten: boolean },
  ): Promise<void> {
    if (refs.length === 0) return;
    const ids = refs.map(({ deliveryId }) => deliveryId);
    const attempts = refs.map((ref) => ref.attempts);
    await this.database.system().rows(EXTEND_LEASES, [ids, attempts, this.leasedUntil(), evenIfForgotten]);
  }

  private async release(items: readonly { ref: AttemptRef; at: Date }[]): Promise<void> {
    await this.database
      .system()
      .rows(GIVE_BACK, [
        items.map(({ ref }) => ref.deliveryId),
        items.map(({ ref }) => ref.attempts),
        items.map(({ at }) => at),
      ]);
  }
}
