/**
 * Express jobs have their own queue, so taking one never waits for bulk. A few deliveries of each account are express; a
 * burst is bulk, which is as fast while no other account sends and delays none that does.
 */
export const QUEUE_KINDS = ['express', 'bulk'] as const;
export type QueueKind = (typeof QUEUE_KINDS)[number];

/** In Redis the names follow QUEUE_PREFIX; in PostgreSQL they are in a schema of their own. */
export const QUEUE_NAMES: Readonly<Record<QueueKind, string>> = { express: 'express', bulk: 'deliveries' };

/** One attempt that is due. Only ids: the rest is read from PostgreSQL. */
export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  /** Attempts recorded before this one. */
  readonly attempts: number;
}

/**
 * One job: a batch of deliveries; each is attempted on its own. The job names the lease of its deliveries. A delivery may
 * be in several jobs, but only the job with its present lease is valid.
 */
export interface DeliveryGroup {
  readonly leasedUntil: Date;
  readonly deliveries: readonly QueuedDelivery[];
}

/** The data that BullMQ stores: short, because it is written, sent and parsed for each job. */
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

/** Adding the same group twice, for example after a lost answer, makes one job. */
export const jobId = ({ leasedUntil, deliveries }: DeliveryGroup): string =>
  `${deliveries[0]?.deliveryId}.${leasedUntil.getTime()}`;
