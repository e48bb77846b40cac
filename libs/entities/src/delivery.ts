import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * How a delivery stands, in the words that people are told everywhere. `retrying` is not a failure: it goes out again by
 * itself. `given_up` was tried and goes out again only if somebody asks. `cancelled` ended without its own fault, with
 * its webhook.
 */
export const DELIVERY_STANDINGS = ['waiting', 'retrying', 'delivered', 'given_up', 'cancelled'] as const;
export type DeliveryStanding = (typeof DELIVERY_STANDINGS)[number];

const GONE = 410;

export function standingOf({
  state,
  attempts,
  lastStatus,
}: Pick<Delivery, 'state' | 'attempts' | 'lastStatus'>): DeliveryStanding {
  if (state === 'pending') return attempts > 0 ? 'retrying' : 'waiting';
  if (state === 'cancelled') return lastStatus === GONE ? 'given_up' : 'cancelled';
  return state === 'exhausted' ? 'given_up' : 'delivered';
}

/** The same in SQL, for a row of deliveries. */
export const standingSql = (row: string): string =>
  `case when ${row}.state = 'pending' then case when ${row}.attempts > 0 then 'retrying' else 'waiting' end
     when ${row}.state = 'exhausted' or (${row}.state = 'cancelled' and ${row}.last_status = ${GONE}) then 'given_up'
     else ${row}.state end`;

/** The promise that one event reaches one webhook. */
@Entity('deliveries')
@Index(['webhookId', 'id'])
@Index(['eventId'])
export class Delivery {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @Column('uuid') eventId: string;
  @Column('text') kind: string;
  @Column('text') state: DeliveryState;
  @Column('integer', { default: 0 }) attempts: number;
  /** When the next try is planned, for people to see; what the worker goes by is the row in OwedDelivery. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
  @Column('integer', { nullable: true }) lastStatus: number | null;
  @Column('text', { nullable: true }) lastError: string | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
}

/**
 * A pending delivery, as the worker needs it: exactly one row for each, gone when it is settled. Kept apart from the
 * history so that what changes often is small, and so that settling a delivery touches no index of the history.
 */
@Entity('owed_deliveries')
@Index(['webhookId', 'queued', 'feedAt'])
@Index('owed_deliveries_retrying_idx', ['webhookId', 'feedAt'], { where: '(attempts > 0)' })
export class OwedDelivery {
  @PrimaryColumn('uuid') deliveryId: string;
  @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @Column('uuid') eventId: string;
  /** How many attempts are recorded. */
  @Column('integer') attempts: number;
  /** Whether it is in the queue or in a worker's hands. */
  @Column('boolean') queued: boolean;
  /** Not queued: when it may be. Queued: until when that is believed, should it be lost on the way. */
  @Column('timestamptz') feedAt: Date;
}

/** One POST, as it went. */
@Entity('attempts')
@Index(['deliveryId', 'number'])
export class Attempt {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @Column('uuid') deliveryId: string;
  @Column('integer') number: number;
  @Column('timestamptz') startedAt: Date;
  @Column('integer') durationMs: number;
  @Column('integer', { nullable: true }) status: number | null;
  /** A word of the Outcome's vocabulary, when there was no answer or not one that counts. */
  @Column('text', { nullable: true }) error: string | null;
  @Column('text', { nullable: true }) errorDetail: string | null;
  @Column('text', { nullable: true }) responseBody: string | null;
  @Column('json') requestHeaders: Record<string, string>;
  /** Why the next try is when it is, or why there is none. */
  @Column('text', { nullable: true }) nextReason: string | null;
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
}

/**
 * What became of the attempts to one webhook in one hour. Whoever records adds to one of a few rows, so that two who
 * record for one webhook rarely wait for each other; a reader adds them up.
 */
@Entity('delivery_counts')
@Index(['accountId', 'hour'])
@Index(['hour'])
export class DeliveryCount {
  @PrimaryColumn('uuid') webhookId: string;
  @PrimaryColumn('timestamptz') hour: Date;
  @PrimaryColumn('smallint') shard: number;
  @Column('uuid') accountId: string;
  @Column('integer') delivered: number;
  @Column('integer') retried: number;
  @Column('integer') givenUp: number;
  /** Of all attempts together. */
  @Column('bigint') durationMs: string;
  @Column('integer') longestMs: number;
}

/** The most that an account was owed in one hour, and how old the oldest of it was. No row: nothing was owed. */
@Entity('backlog_hours')
@Index(['hour'])
export class BacklogHour {
  @PrimaryColumn('uuid') accountId: string;
  @PrimaryColumn('timestamptz') hour: Date;
  @Column('integer') owed: number;
  @Column('integer') oldestSeconds: number;
}
