import type { DeliveryGroup, QueueKind, QueuedDelivery } from '#libs/webhooks';

/**
 * Deliveries in one job. Most of what a job costs, in Redis and in the worker, does not depend on how many it holds;
 * beyond this nothing more is gained, and several workers would share unevenly.
 */
export const MAX_DELIVERIES_PER_JOB = 50;

/** A few that are in a hurry are spread over as many jobs, so that as many workers as there are may take them. */
const EXPRESS_JOBS_PER_BATCH = 8;

/** Deliveries that were leased together, in the jobs they travel in. */
export function groupDeliveries(
  queueKind: QueueKind,
  deliveries: readonly QueuedDelivery[],
  leasedUntil: Date,
): DeliveryGroup[] {
  const spread =
    queueKind === 'express' ? Math.ceil(deliveries.length / EXPRESS_JOBS_PER_BATCH) : MAX_DELIVERIES_PER_JOB;
  const size = Math.min(MAX_DELIVERIES_PER_JOB, Math.max(1, spread));
  const groups: DeliveryGroup[] = [];
  for (let start = 0; start < deliveries.length; start += size)
    groups.push({ leasedUntil, deliveries: deliveries.slice(start, start + size) });
  return groups;
}
