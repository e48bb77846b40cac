import type { DeliveryGroup, QueueKind, QueuedDelivery } from '#libs/webhooks';
import { EXPRESS_JOBS_PER_BATCH, MAX_DELIVERIES_PER_JOB } from '../limits/limits.js';

/** Puts deliveries that were leased together into jobs. */
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
