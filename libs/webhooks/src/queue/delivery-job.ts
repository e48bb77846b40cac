/**
 * Express jobs have a queue of their own, so that taking one never waits for the bulk. An account gets as much express
 * as its receivers commonly need; beyond that it travels in bulk, which is just as fast while nobody else is there and
 * never stands in another's way.
 */
export const QUEUE_KINDS = ['express', 'bulk'] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** The names of the queues: in Redis behind QUEUE_PREFIX, in PostgreSQL in a schema of their own. */
export const QUEUE_NAMES: Readonly<Record<QueueKind, string>> = { express: 'express', bulk: 'deliveries' };

/** One attempt that is due. Only ids: what they stand for is read from PostgreSQL when it is needed. */
export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  /** Attempts recorded before this one. */
  readonly attempts: number;
}

/**
 * One job: deliveries that travel together and part at the worker's door. The lease under which they were put in names
 * the job, so of several jobs that a delivery may be in, at most one is good: a lease that ran out was renewed, or given
 * to another job, and is not the same any more.
 */
export interface DeliveryGroup {
  readonly leasedUntil: Date;
  readonly deliveries: readonly QueuedDelivery[];
}

/** What BullMQ keeps: short, because it is written, sent and parsed for each job. */
export interface JobData {
  readonly until: number;
  readonly deliveries: readonly (readonly [deliveryId: string, eventId: string, attempts: number])[];
}

export function toJobData({ leasedUntil, deliveries }: DeliveryGroup): JobData {
  return {
    until: leasedUntil.getTime(),
    deliveries: deliveries.map(({ deliveryId, eventId, attempts }) => [deliveryId, eventId, attempts]),
  };
}

export function fromJobData({ until, deliveries }: JobData): DeliveryGroup {
  return {
    leasedUntil: new Date(until),
    deliveries: deliveries.map(([deliveryId, eventId, attempts]) => ({ deliveryId, eventId, attempts })),
  };
}

/** Adding the same group twice, as after an answer that was lost, is one job. */
export const jobId = ({ leasedUntil, deliveries }: DeliveryGroup): string =>
  `${deliveries[0]?.deliveryId}.${leasedUntil.getTime()}`;
