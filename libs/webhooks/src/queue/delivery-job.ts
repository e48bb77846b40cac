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

/** The id makes one job of a group that is added twice. */
export function toJob({ leasedUntil, deliveries }: DeliveryGroup) {
  const until = leasedUntil.getTime();
  const data: JobData = {
    until,
    deliveries: deliveries.map(({ deliveryId, eventId, attempts }) => [deliveryId, eventId, attempts]),
  };
  const jobId = `${deliveries[0]?.deliveryId}.${until}`;
  return { name: 'deliver', data, opts: { jobId, removeOnComplete: true, removeOnFail: true } };
}

export function fromJobData({ until, deliveries }: JobData): DeliveryGroup {
  return {
    leasedUntil: new Date(until),
    deliveries: deliveries.map(([deliveryId, eventId, attempts]) => ({ deliveryId, eventId, attempts })),
  };
}
