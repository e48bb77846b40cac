import { type DeliveryGroup, DeliveryQueue, type QueueKind, type QueuedDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import {
  JOBS_PER_ADD,
  LITTLE_ADDED_SHARE,
  MAX_BULK_JOBS,
  MAX_DELIVERIES_PER_JOB,
  MAX_QUEUED_JOBS,
  QUEUE_SIZE_FRESH_MS,
  QUEUE_SIZE_FRESH_WHILE_QUIET_MS,
  QUEUE_SIZE_FRESH_WITH_ROOM_MS,
} from '../limits/limits.js';
import { OwedDeliveriesService } from './owed-deliveries.service.js';
import { QueueLossWatch } from './queue-loss-watch.js';

/** With fewer jobs, one worker takes all express deliveries. */
const EXPRESS_JOBS_PER_BATCH = 8;

/** In deliveries. */
interface QueueCapacity {
  readonly isOpen: boolean;
  readonly bulk: number;
}

/** In jobs. */
interface KnownSize {
  bulk: number;
  total: number;
}

const NO_CAPACITY: QueueCapacity = { isOpen: false, bulk: 0 };

@Injectable()
export class BoundedQueue {
  private lastSize: (KnownSize & { readonly at: number; readonly added: KnownSize }) | undefined;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lossDetector: QueueLossWatch,
    private readonly owed: OwedDeliveriesService,
    private readonly telemetry: WorkerMetrics,
    private readonly workers: LiveWorkersService,
  ) {}

  /** At most two concurrent round trips. No capacity while the queue is unreachable. */
  async capacity(): Promise<QueueCapacity> {
    if (!this.lossDetector.isChecked) return NO_CAPACITY;
    await this.refreshSize();
    if (!this.lastSize || this.lastSize.total >= MAX_QUEUED_JOBS) return NO_CAPACITY;
    const jobs = Math.min(
      this.workers.allOf(MAX_BULK_JOBS) - this.lastSize.bulk,
      MAX_QUEUED_JOBS - this.lastSize.total,
    );
    return { isOpen: true, bulk: Math.max(0, jobs) * MAX_DELIVERIES_PER_JOB };
  }

  /** Never rejects: refused deliveries are owed again. One round trip for up to 1,250 bulk deliveries. */
  async add(queueKind: QueueKind, deliveries: readonly QueuedDelivery[], leasedUntil: Date): Promise<void> {
    const groups = groupDeliveries(queueKind, deliveries, leasedUntil);
    // A concurrent `capacity` must include them.
    this.countAdded(queueKind, groups.length);
    for (let done = 0; done < groups.length; done += JOBS_PER_ADD)
      await this.addBatch(queueKind, groups.slice(done, done + JOBS_PER_ADD));
  }

  private async addBatch(queueKind: QueueKind, groups: readonly DeliveryGroup[]): Promise<void> {
    try {
      await this.queue.add(queueKind, groups);
    } catch (error) {
      this.telemetry.interrupted('jobs could not be added to the queue', error);
      this.lastSize = undefined;
      await this.owed.giveBack(groups.flatMap(({ deliveries }) => deliveries));
    }
  }

  private countAdded(queueKind: QueueKind, jobs: number): void {
    if (!this.lastSize) return;
    for (const size of [this.lastSize, this.lastSize.added]) {
      size.total += jobs;
      if (queueKind === 'bulk') size.bulk += jobs;
    }
  }

  private async refreshSize(): Promise<void> {
    const ageMs = this.lastSize ? performance.now() - this.lastSize.at : Number.POSITIVE_INFINITY;
    if (ageMs <= (this.isQuiet() ? QUEUE_SIZE_FRESH_WHILE_QUIET_MS : QUEUE_SIZE_FRESH_MS)) return;
    this.reading ??= this.readSize();
    if (ageMs > QUEUE_SIZE_FRESH_WITH_ROOM_MS || !this.hadRoom()) await this.reading;
  }

  private isQuiet(): boolean {
    if (!this.lastSize || !this.hadRoom()) return false;
    const { bulk, total } = this.lastSize.added;
    return (
      bulk < MAX_BULK_JOBS * LITTLE_ADDED_SHARE && total < this.workers.shareOf(MAX_QUEUED_JOBS) * LITTLE_ADDED_SHARE
    );
  }

  private hadRoom(): boolean {
    const { bulk = 0, total = 0 } = this.lastSize ?? {};
    return bulk < this.workers.allOf(MAX_BULK_JOBS) / 2 && total < MAX_QUEUED_JOBS / 2;
  }

  private async readSize(): Promise<void> {
    const size = await this.queue.size().catch(() => undefined);
    this.lastSize = size && {
      bulk: size.bulk,
      total: size.bulk + size.express,
      at: performance.now(),
      added: { bulk: 0, total: 0 },
    };
    this.reading = undefined;
  }
}

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
