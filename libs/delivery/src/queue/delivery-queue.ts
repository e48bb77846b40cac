import type { Settings } from '#libs/settings';
import type { BullQueue, BullWorker } from './bullmq-internals.js';
import {
  type DeliveryGroup,
  type DeliveryJob,
  type EventJob,
  type QueueJob,
  type QueueKind,
  eventJob,
  fromJobData,
  groupJob,
} from './delivery-job.js';
import { type OnError, type QueueBackend, postgresBackend, redisBackend } from './queue-backends.js';
import type { StrandedEvents } from './redis-state.js';

/** Express events in all, and bulk deliveries for each worker. Fewer leave workers idle, more fill Redis. */
export const MAX_QUEUED = 2_000;

/** In jobs. */
export interface QueueSize {
  readonly express: number;
  readonly bulk: number;
  readonly active: number;
}

/** Reports failures. Deliveries that could not be added stay leased, because Redis may have added their jobs. */
export class DeliveryQueue {
  private readonly queues: Readonly<Record<QueueKind, BullQueue>>;
  private closing: Promise<void> | undefined;
  private addFailed = false;

  private constructor(
    private readonly backend: QueueBackend,
    private readonly onError: OnError,
    private readonly onAnswer: () => void,
  ) {
    this.queues = { express: backend.openQueue('express'), bulk: backend.openQueue('bulk') };
  }

  static open(settings: Settings, onError: OnError, onAnswer = (): void => undefined): DeliveryQueue {
    const open = settings.REDIS_URL === undefined ? postgresBackend : redisBackend;
    return new DeliveryQueue(open(settings, onError), onError, onAnswer);
  }

  get backendName(): 'redis' | 'postgresql' {
    return this.backend.name;
  }

  get isReady(): boolean {
    return this.backend.isReady;
  }

  /** Adds a job for the first attempts of each event. */
  async addEvents(events: readonly EventJob[]): Promise<void> {
    await this.addJobs('express', events.map(eventJob));
  }

  async add(kind: QueueKind, groups: readonly DeliveryGroup[]): Promise<void> {
    await this.addJobs(kind, groups.map(groupJob));
  }

  findStranded(eventIds: readonly string[]): Promise<StrandedEvents> {
    return this.backend.findStranded(eventIds);
  }

  async requireWrites(): Promise<void> {
    await this.backend.requireWrites();
    this.addFailed = false;
  }

  /** One round trip. A pipeline copies every script of BullMQ: a seventh of a worker's allocations with single events. */
  private async addJobs(kind: QueueKind, [first, ...others]: readonly QueueJob[]): Promise<void> {
    const queue = this.queues[kind];
    if (!first) return;
    try {
      if (others.length === 0) await queue.add(first.name, first.data, first.opts);
      else await queue.addBulk([first, ...others]);
    } catch (error) {
      this.addFailed = true;
      this.onError(error as Error);
      throw error;
    }
  }

  async size(): Promise<QueueSize> {
    const [express, bulk] = await Promise.all([counts(this.queues.express), counts(this.queues.bulk)]);
    return { express: express.waiting, bulk: bulk.waiting, active: express.active + bulk.active };
  }

  /** Undefined while the queue is away, and from a failed add until a write succeeds. */
  async reportedSize(): Promise<QueueSize | undefined> {
    try {
      if (this.addFailed) await this.requireWrites();
      return await this.size();
    } catch (error) {
      this.onError(error as Error);
      return undefined;
    }
  }

  /** Notes that a worker uses this queue. Never rejects. */
  async noteWorker(): Promise<void> {
    if (!this.backend.isReady) return;
    try {
      await this.backend.noteWorker();
      this.addFailed = false;
      this.onAnswer();
    } catch (error) {
      this.onError(error as Error);
    }
  }

  startWorker(kind: QueueKind, perform: (job: DeliveryJob) => Promise<void>): BullWorker {
    const worker = this.backend.openWorker(kind, (job) => perform(fromJobData(job.data)));
    worker.run().catch(this.onError);
    return worker;
  }

  /** The worker and its hand-over share the queue, and both close it. */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    for (const queue of Object.values(this.queues)) await queue.close().catch(this.onError);
    await this.backend.close();
  }
}

async function counts(queue: BullQueue): Promise<{ waiting: number; active: number }> {
  const { wait = 0, active = 0 } = await queue.getJobCounts('wait', 'active');
  return { waiting: wait, active };
}
