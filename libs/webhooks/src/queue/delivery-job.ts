/** The name of the queue: in Redis behind QUEUE_PREFIX, in PostgreSQL in a schema of its own. */
export const DELIVERY_QUEUE = 'deliveries';

/** Names one attempt that is due. Only ids: what they stand for is read from PostgreSQL when it is needed. */
export interface DeliveryJob {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** Attempts recorded before this one. */
  readonly attempts: number;
}

/**
 * Express jobs are taken before any bulk job. An account gets as much express as its receivers commonly need; beyond
 * that it travels in bulk, which is just as fast while nobody else is there and never stands in another's way.
 */
export type Lane = 'express' | 'bulk';

/** BullMQ takes jobs without a priority first, and they are the cheapest to add. */
export const PRIORITY: Readonly<Record<Lane, number>> = { express: 0, bulk: 1 };

/**
 * The delivery and the attempt. Adding the same attempt twice is one job, so whoever is unsure may add again; a retry
 * is another job, even while its predecessor is just being acknowledged.
 */
export const jobId = ({ deliveryId, attempts }: DeliveryJob): string => `${deliveryId}.${attempts}`;
