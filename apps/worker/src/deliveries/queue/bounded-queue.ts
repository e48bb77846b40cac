import {
  type DeliveryGroup,
  DeliveryQueue,
  LEASE_MS,
  MAX_QUEUED,
  type QueueKind,
  type QueuedDelivery,
} from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LiveWorkersService } from '../../live-workers.service.js';
import { PROMPT_WITHIN_MS } from '../limits/delivery-slot-limiter.js';

/** Larger jobs share work unevenly. */
const MAX_DELIVERIES_PER_JOB = 50;

/** Deliveries, webhooks, accounts or events of one round of the relay and the feeder. Others wait for it to end. */
export const MAX_ROUND = MAX_QUEUED / 8;

/** After Redis was wiped, a worker may still be sending an event. If this were shorter, the event would be sent twice. */
const SENT_WITHIN_MS = PROMPT_WITHIN_MS + 200;

/** The queue holds a bounded part of what is owed. */
@Injectable()
export class BoundedQueue {
  private readonly missingSince = new LRUCache<string, number>({ max: MAX_QUEUED, ttl: LEASE_MS });

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly workers: LiveWorkersService,
  ) {}

  /** In deliveries. Undefined while the worker may not work, or the queue is unreachable or refuses jobs. Round trips: 2 at once. */
  async room(): Promise<number | undefined> {
    const size = this.workers.mayWork ? await this.queue.reportedSize() : undefined;
    if (!size) return undefined;
    return Math.max(0, this.workers.allOf(MAX_QUEUED) - size.bulk * MAX_DELIVERIES_PER_JOB);
  }

  /** Adds the missing jobs of events. Returns the events whose worker is gone. Round trips: 1 or 2. */
  async addMissing(eventIds: readonly string[]): Promise<readonly string[]> {
    const { missing, abandoned } = await this.queue.findStranded(eventIds);
    const lost = missing.filter((eventId) => this.isMissingForLong(eventId));
    await this.queue.addEvents(lost.map((eventId) => ({ eventId })));
    return abandoned;
  }

  private isMissingForLong(eventId: string): boolean {
    const now = performance.now();
    const since = this.missingSince.get(eventId) ?? now;
    this.missingSince.set(eventId, since);
    return now - since >= SENT_WITHIN_MS;
  }

  /** Never rejects: the queue reports a failure, and the leases end. Round trips: 1. */
  async add(queueKind: QueueKind, deliveries: readonly QueuedDelivery[], leasedUntil: Date): Promise<void> {
    await this.queue.add(queueKind, groupDeliveries(queueKind, deliveries, leasedUntil)).catch(() => undefined);
  }
}

/** An express delivery never waits for others. */
export function groupDeliveries(
  queueKind: QueueKind,
  deliveries: readonly QueuedDelivery[],
  leasedUntil: Date,
): DeliveryGroup[] {
  const size = queueKind === 'express' ? 1 : MAX_DELIVERIES_PER_JOB;
  const groups: DeliveryGroup[] = [];
  for (let start = 0; start < deliveries.length; start += size)
    groups.push({ leasedUntil, deliveries: deliveries.slice(start, start + size) });
  return groups;
}
