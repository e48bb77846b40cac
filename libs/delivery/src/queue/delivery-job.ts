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

/** An event in the outbox, whose worker reads the content if the job has none. */
export interface EventJob {
  readonly eventId: string;
  readonly content?: string | undefined;
}

/** The first attempts of an event, or attempts of owed deliveries. */
export type DeliveryJob = EventJob | DeliveryGroup;

/** Short, because each job is written, sent and parsed. */
export type JobData =
  | { readonly event: string; readonly content?: string | undefined }
  | {
      readonly until: number;
      readonly deliveries: readonly (readonly [deliveryId: string, eventId: string, attempts: number])[];
    };

const OPTIONS = { removeOnComplete: true, removeOnFail: true };

export const eventJob = ({ eventId, content }: EventJob) => ({
  name: 'event',
  data: { event: eventId, content } satisfies JobData,
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
  if ('event' in data) return { eventId: data.event, content: data.content };
  return {
    leasedUntil: new Date(data.until),
    deliveries: data.deliveries.map(([deliveryId, eventId, attempts]) => ({ deliveryId, eventId, attempts })),
  };
}
