/** Express has its own queue and never waits for bulk, such as a burst of an account. */
export type QueueKind = 'express' | 'bulk';

export const QUEUE_NAMES: Readonly<Record<QueueKind, string>> = { express: 'express', bulk: 'deliveries' };

export interface QueuedDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly attempts: number;
}

/** Several jobs may name a delivery; only the one with its present lease is valid. */
export interface DeliveryGroup {
  readonly leasedUntil: Date;
  readonly deliveries: readonly QueuedDelivery[];
}

/** Short, because each job is written, sent and parsed. */
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

/** Adding a group twice makes one job. */
export const jobId = ({ leasedUntil, deliveries }: DeliveryGroup): string =>
  `${deliveries[0]?.deliveryId}.${leasedUntil.getTime()}`;
