import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The promise that one event reaches one webhook. */
@Entity('deliveries')
@Index(['webhookId', 'id'])
@Index(['eventId'])
@Index('deliveries_owed_idx', ['nextAttemptAt'], { where: "(state = 'pending'::text)" })
export class Delivery {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @Column('uuid') eventId: string;
  @Column('text') kind: string;
  @Column('text') state: DeliveryState;
  @Column('integer', { default: 0 }) attempts: number;
  /** When it is owed. Pending rows only; the queue is filled from here, and refilled when the queue is lost. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
  @Column('integer', { nullable: true }) lastStatus: number | null;
  @Column('text', { nullable: true }) lastError: string | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
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
  @Column('jsonb') requestHeaders: Record<string, string>;
  /** Why the next try is when it is, or why there is none. */
  @Column('text', { nullable: true }) nextReason: string | null;
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
}
