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

/** The first attempts of an event in the outbox, or attempts of owed deliveries. */
export type DeliveryJob = { readonly eventId: string } | DeliveryGroup;

/** Short, because each job is written, sent and parsed. */
export type JobData =
  | { readonly event: string }
  | {
      readonly until: number;
      readonly deliveries: readonly (readonly [deliveryId: string, eventId: string, attempts: number])[];
    };

const OPTIONS = { removeOnComplete: true, removeOnFail: true };

export const eventJob = (eventId: string) => ({
  name: 'event',
  data: { event: eventId } satisfies JobData,
  opts: { ...OPTIONS, jobId: eventId },
});

/** The id makes one job of a group that is added twice. */
export function groupJob({ leasedUntil, deliveries }: DeliveryGroup) {
  const until = leasedUntil.getTime();
  const data: JobData = {
    until,
    deliveries: deliveries.map(({ deliveryId, eventId, attempts }) => [deliveryId, eventId, attempts]),
  };
  const jobId = `${deliveries[0]?.deliveryId}.${until}`;
  return { name: 'deliver', data, opts: { ...OPTIONS, jobId } };
}

export type QueueJob = ReturnType<typeof eventJob> | ReturnType<typeof groupJob>;

export function fromJobData(data: JobData): DeliveryJob {
  if ('event' in data) return { eventId: data.event };
  return {
    leasedUntil: new Date(data.until),
    deliveries: data.deliveries.map(([deliveryId, eventId, attempts]) => ({ deliveryId, eventId, attempts })),
  };
}
