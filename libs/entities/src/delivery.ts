import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Webhook } from './webhook.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The states that the API and the console show. `retrying`: will be sent again. `held`: waits until its paused webhook is
 * resumed. `given_up`: tried, and only sent again on request. `cancelled`: ended with its webhook.
 */
export const DELIVERY_STANDINGS = ['waiting', 'retrying', 'held', 'delivered', 'given_up', 'cancelled'] as const;
export type DeliveryStanding = (typeof DELIVERY_STANDINGS)[number];

const GONE = 410;

export type DeliveryProgress = Pick<Delivery, 'state' | 'attempts' | 'lastStatus' | 'lastError' | 'isPaused'>;

/** A redelivered success stays `delivered` until its new attempt ends. */
export function standingOf({ state, attempts, lastStatus, lastError, isPaused }: DeliveryProgress): DeliveryStanding {
  if (state === 'cancelled') return lastStatus === GONE ? 'given_up' : 'cancelled';
  if (state !== 'pending') return state === 'exhausted' ? 'given_up' : 'delivered';
  if (lastStatus !== null && lastStatus >= 200 && lastStatus < 300 && lastError === null) return 'delivered';
  if (isPaused) return 'held';
  return attempts > 0 ? 'retrying' : 'waiting';
}

/** `standingOf` in SQL. `row` is an alias of `deliveries`, and `isPaused` a condition. */
export const standingSql = (row: string, isPaused: string): string =>
  `case when ${row}.state = 'pending' then case
       when ${row}.last_status between 200 and 299 and ${row}.last_error is null then 'delivered'
       when ${isPaused} then 'held' when ${row}.attempts > 0 then 'retrying' else 'waiting' end
     when ${row}.state = 'exhausted' or (${row}.state = 'cancelled' and ${row}.last_status = ${GONE}) then 'given_up'
     else ${row}.state end`;

/** One event on its way to one webhook. */
@Entity('deliveries')
export class Delivery {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @Column('uuid') eventId: string;
  @Column('text') kind: string;
  @Column('text') state: DeliveryState;
  @Column('integer', { default: 0 }) attempts: number;
  /** For display. The worker uses `OwedDelivery.dueAt`. */
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
  @Column('integer', { nullable: true }) lastStatus: number | null;
  @Column('text', { nullable: true }) lastError: string | null;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
  @Column('timestamptz') createdAt: Date;
  /** The attempt that settled it at once. Others are in `attempts`. */
  @Column('json', { nullable: true, select: false }) onlyAttempt: object | null;

  /** Null once the webhook is deleted. */
  webhook: Pick<Webhook, 'name' | 'url' | 'state' | 'retryAfterUntil'> | null;

  get isPaused(): boolean {
    return this.webhook?.state === 'paused';
  }
}

/**
 * The work state of a pending delivery, deleted when the delivery ends. It is apart from the history so that the rows that
 * change often are small and ending a delivery updates no index of the history.
 */
@Entity('owed_deliveries')
export class OwedDelivery {
  @PrimaryColumn('uuid') deliveryId: string;
  @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @Column('uuid') eventId: string;
  @Column('integer') attempts: number;
  @Column('boolean') queued: boolean;
  /** If not queued: when it may be. If queued: when it counts as lost and may be queued again. */
  @Column('timestamptz') dueAt: Date;
}

/** One POST to the receiver. */
@Entity('attempts')
export class Attempt {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  @Column('uuid') webhookId: string;
  @Column('uuid') deliveryId: string;
  @Column('integer') number: number;
  @Column('timestamptz') startedAt: Date;
  @Column('integer') durationMs: number;
  @Column('integer', { nullable: true }) status: number | null;
  /** A code of the attempt’s outcome if there was no valid response. */
  @Column('text', { nullable: true }) error: string | null;
  @Column('text', { nullable: true }) errorDetail: string | null;
  @Column('text', { nullable: true }) responseBody: string | null;
  @Column('json') requestHeaders: Record<string, string>;
  /** The reason for `nextAttemptAt`, or for its absence. */
  @Column('text', { nullable: true }) nextReason: string | null;
  @Column('timestamptz', { nullable: true }) nextAttemptAt: Date | null;
}
