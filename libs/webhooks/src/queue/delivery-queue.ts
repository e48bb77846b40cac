import type { Settings } from '#libs/settings';
import type { BullQueue, BullWorker } from './bullmq-internals.js';
import { type DeliveryGroup, type QueueKind, fromJobData, toJob } from './delivery-job.js';
import { type OnError, type QueueBackend, postgresBackend, redisBackend } from './queue-backends.js';
import type { QueueGeneration } from './redis-state.js';

/** In jobs. */
export interface QueueSize {
  readonly express: number;
  readonly bulk: number;
  readonly active: number;
}

/** Fails at once while the queue is away. Leased deliveries become due again. */
export class DeliveryQueue {
  private readonly queues: Readonly<Record<QueueKind, BullQueue>>;

  private constructor(
    private readonly backend: QueueBackend,
    private readonly onError: OnError,
  ) {
    this.queues = { express: backend.openQueue('express'), bulk: backend.openQueue('bulk') };
  }

  static open(settings: Settings, onError: OnError): DeliveryQueue {
    const open = settings.REDIS_URL === undefined ? postgresBackend : redisBackend;
    return new DeliveryQueue(open(settings, onError), onError);
  }

  get backendName(): 'redis' | 'postgresql' {
    return this.backend.name;
  }

  /**
   * One round trip. A pipeline copies every script of BullMQ: a seventh of a worker's allocations with single events.
   */
  async add(kind: QueueKind, groups: readonly DeliveryGroup[]): Promise<void> {
    const queue = this.queues[kind];
    const [first, ...others] = groups.map(toJob);
    if (!first) return;
    if (others.length === 0) await queue.add(first.name, first.data, first.opts);
    else await queue.addBulk([first, ...others]);
  }

  async size(): Promise<QueueSize> {
    const [express, bulk] = await Promise.all([counts(this.queues.express), counts(this.queues.bulk)]);
    return { express: express.waiting, bulk: bulk.waiting, active: express.active + bulk.active };
  }

  generation(): Promise<QueueGeneration> {
    return this.backend.generation();
  }

  startWorker(kind: QueueKind, perform: (group: DeliveryGroup) => Promise<void>): BullWorker {
    const worker = this.backend.openWorker(kind, (job) => perform(fromJobData(job.data)));
    worker.run().catch(this.onError);
    return worker;
  }

  async close(): Promise<void> {
    for (const queue of Object.values(this.queues)) await queue.close().catch(this.onError);
    await this.backend.close();
  }
}

async function counts(queue: BullQueue): Promise<{ waiting: number; active: number }> {
  const { wait = 0, active = 0 } = await queue.getJobCounts('wait', 'active');
  return { waiting: wait, active };
}
