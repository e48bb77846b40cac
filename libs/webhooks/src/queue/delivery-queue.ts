import type { Settings } from '#libs/settings';
import { type DeliveryGroup, type QueueKind, fromJobData, jobId, toJobData } from './delivery-job.js';
import { postgresBackend } from './postgres-backend.js';
import type { BullQueue, BullWorker, OnError, QueueBackend, QueueGeneration } from './queue-backend.js';
import { redisBackend } from './redis-backend.js';

/** In jobs. */
export interface QueueSize {
  readonly express: number;
  readonly bulk: number;
  readonly active: number;
}

/**
 * The window onto what is owed: PostgreSQL holds the truth, and this holds as much of it as the workers are about to
 * take. Calls fail at once while the queue is away; the caller's rows are leased, and come again by themselves.
 */
export class DeliveryQueue {
  private readonly queues: Readonly<Record<QueueKind, BullQueue>>;

  private constructor(
    private readonly backend: QueueBackend,
    private readonly onError: OnError,
  ) {
    this.queues = { express: backend.openQueue('express'), bulk: backend.openQueue('bulk') };
  }

  /** `onError` hears of lost connections, which mend themselves. */
  static open(settings: Settings, onError: OnError): DeliveryQueue {
    const open = settings.REDIS_URL === undefined ? postgresBackend : redisBackend;
    return new DeliveryQueue(open(settings, onError), onError);
  }

  get backendName(): 'redis' | 'postgresql' {
    return this.backend.name;
  }

  /**
   * One round trip for any number of jobs. A single one goes by itself: a pipeline brings a copy of every script of
   * BullMQ, which was a seventh of all that a worker allocated while events came one by one.
   */
  async add(kind: QueueKind, groups: readonly DeliveryGroup[]): Promise<void> {
    const queue = this.queues[kind];
    const [first, ...others] = groups.map(jobOf);
    if (!first) return;
    if (others.length === 0) await queue.add(first.name, first.data, first.opts);
    else await queue.addBulk([first, ...others]);
  }

  /** One round trip for each queue, both at once. */
  async size(): Promise<QueueSize> {
    const [express, bulk] = await Promise.all([counts(this.queues.express), counts(this.queues.bulk)]);
    return { express: express.waiting, bulk: bulk.waiting, active: express.active + bulk.active };
  }

  /** One round trip. */
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

function jobOf(group: DeliveryGroup) {
  return {
    name: 'deliver',
    data: toJobData(group),
    opts: { jobId: jobId(group), removeOnComplete: true, removeOnFail: true },
  };
}

async function counts(queue: BullQueue): Promise<{ waiting: number; active: number }> {
  const { wait = 0, active = 0 } = await queue.getJobCounts('wait', 'active');
  return { waiting: wait, active };
}
