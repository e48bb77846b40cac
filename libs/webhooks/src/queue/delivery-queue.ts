import type { Settings } from '#libs/settings';
import {
  type BullQueue,
  type BullWorker,
  type OnError,
  type Perform,
  type QueueBackend,
  type QueueLife,
} from './backend.js';
import { type DeliveryJob, type Lane, PRIORITY, jobId } from './delivery-job.js';
import { postgresBackend } from './postgres-backend.js';
import { redisBackend } from './redis-backend.js';

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
  private readonly queue: BullQueue;

  private constructor(
    private readonly backend: QueueBackend,
    private readonly onError: OnError,
  ) {
    this.queue = backend.openQueue(onError);
  }

  /** `onError` hears of lost connections, which mend themselves. */
  static open(settings: Settings, onError: OnError): DeliveryQueue {
    const url = settings.REDIS_URL;
    const backend = url === undefined ? postgresBackend(settings) : redisBackend(settings, url, onError);
    return new DeliveryQueue(backend, onError);
  }

  get backendName(): 'redis' | 'postgresql' {
    return this.backend.name;
  }

  /** One round trip for any number of jobs. */
  async add(jobs: readonly DeliveryJob[], laneOf: (job: DeliveryJob) => Lane): Promise<void> {
    if (jobs.length === 0) return;
    await this.queue.addBulk(
      jobs.map((job) => {
        const { deliveryId: _, ...data } = job;
        const opts = { jobId: jobId(job), priority: PRIORITY[laneOf(job)], removeOnComplete: true, removeOnFail: true };
        return { name: 'deliver', data, opts };
      }),
    );
  }

  /** One round trip. */
  async size(): Promise<QueueSize> {
    const counts = await this.queue.getJobCounts('wait', 'prioritized', 'active');
    return { express: counts['wait'] ?? 0, bulk: counts['prioritized'] ?? 0, active: counts['active'] ?? 0 };
  }

  /** One round trip. */
  life(): Promise<QueueLife> {
    return this.backend.life();
  }

  startWorker(perform: Perform, concurrency: number): BullWorker {
    const worker = this.backend.openWorker(perform, concurrency, this.onError);
    worker.run().catch(this.onError);
    return worker;
  }

  async close(): Promise<void> {
    await this.queue.close().catch(this.onError);
    await this.backend.close();
  }
}
