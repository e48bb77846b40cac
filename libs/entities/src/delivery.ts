import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

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
