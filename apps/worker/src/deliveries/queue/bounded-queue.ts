import { type DeliveryGroup, DeliveryQueue, MAX_QUEUED, type QueueKind, type QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { LeasesService } from './leases.service.js';
import { QueueLossWatch } from './queue-loss-watch.js';

/** Larger jobs share work unevenly. */
const MAX_DELIVERIES_PER_JOB = 50;

/** Deliveries, webhooks, accounts or events of one round of the relay and the feeder. Others wait for it to end. */
export const MAX_ROUND = MAX_QUEUED / 8;

/** The queue holds a bounded part of what is owed. */
@Injectable()
export class BoundedQueue {
  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lossDetector: QueueLossWatch,
    private readonly leases: LeasesService,
    private readonly telemetry: WorkerMetrics,
    private readonly workers: LiveWorkersService,
  ) {}

  /** In deliveries. Undefined while the queue is unreachable. Round trips: 2 at once. */
  async room(): Promise<number | undefined> {
    if (!this.lossDetector.isChecked) return undefined;
    const size = await this.queue.size().catch(() => undefined);
    if (!size) return undefined;
    return Math.max(0, this.workers.allOf(MAX_QUEUED) - size.bulk * MAX_DELIVERIES_PER_JOB);
  }

  /** Returns the events that no job names and no worker works on. */
  async withoutJob(eventIds: readonly string[]): Promise<string[]> {
    const missing = await this.queue.withoutJob(eventIds);
    return missing.length === 0 || (await this.queue.isSettled()) ? missing : [];
  }

  /** Never rejects: refused deliveries are owed again. Round trips: 1. */
  async add(queueKind: QueueKind, deliveries: readonly QueuedDelivery[], leasedUntil: Date): Promise<void> {
    try {
      await this.queue.add(queueKind, groupDeliveries(queueKind, deliveries, leasedUntil));
    } catch (error) {
      this.telemetry.interrupted('jobs could not be added to the queue', error);
      await this.leases.giveBack(deliveries);
    }
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
