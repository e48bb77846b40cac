/**
 * Express jobs have their own queue, so they never wait for bulk. A few deliveries of each account are express; a burst
 * is bulk.
 */
export type QueueKind = 'express' | 'bulk';

export const QUEUE_NAMES: Readonly<Record<QueueKind, string>> = { express: 'express', bulk: 'deliveries' };

/** Only ids: the rest is read from PostgreSQL. */
export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  /** Attempts recorded before this one. */
  readonly attempts: number;
}

/**
 * A batch of deliveries; each is attempted on its own. Of several jobs with one delivery, only the one that names its
 * present lease is valid.
 */
export interface DeliveryGroup {
  readonly leasedUntil: Date;
  readonly deliveries: readonly QueuedDelivery[];
}

/** Short, because it is written, sent and parsed for each job. */
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

/** Adding a group twice, for example after a lost answer, makes one job. */
export const jobId = ({ leasedUntil, deliveries }: DeliveryGroup): string =>
  `${deliveries[0]?.deliveryId}.${leasedUntil.getTime()}`;
