import { connectionOptions } from '#libs/database';
import { type RedisClient, connectRedis } from '#libs/redis';
import type { Settings } from '#libs/settings';
import { type PostgresPoolConfig, type Processor, Queue, withBackend } from 'bullmq';
import {
  type BullQueue,
  type BullWorker,
  resilientBackend,
  sparingBackend,
  withoutEventStream,
} from './bullmq-internals.js';
import {
  type DeliveryGroup,
  type DeliveryJob,
  type JobData,
  QUEUE_NAMES,
  type QueueJob,
  type QueueKind,
  eventJob,
  fromJobData,
  groupJob,
} from './delivery-job.js';
import { COMMAND_TIMEOUT_MS, GenerationReader, type QueueGeneration, keyPrefix } from './redis-state.js';

type OnError = (error: Error) => void;

interface QueueBackend {
  readonly name: 'redis' | 'postgresql';
  readonly isReady: boolean;
  openQueue(kind: QueueKind): BullQueue;
  openWorker(kind: QueueKind, process: Processor<JobData, void>): BullWorker;
  generation(): Promise<QueueGeneration>;
  isSettled(): Promise<boolean>;
  /** Returns the events that no job names. */
  withoutJob(eventIds: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** The delay after a restart of Redis. BullMQ’s default is 15 s. */
const RUN_RETRY_MS = 500;

const WORKER_OPTIONS = { autorun: false, runRetryDelay: RUN_RETRY_MS } as const;

/** Shorter costs more commands. Longer, the socket times out. */
const IDLE_WAIT_SECONDS = 8;

const { Worker: RedisWorker } = withBackend(sparingBackend);

function redisBackend(settings: Settings, onError: OnError): QueueBackend {
  const prefix = keyPrefix(settings);
  const generation = new GenerationReader(settings);
  const redis = withoutEventStream(
    connectRedis(settings, {
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: COMMAND_TIMEOUT_MS,
      onError,
      onReady: () => generation.connected(),
    }),
  );
  const workerConnections: RedisClient[] = [];
  return {
    name: 'redis',
    get isReady() {
      return redis.status === 'ready';
    },
    openQueue: (kind) => new Queue(QUEUE_NAMES[kind], { connection: redis, prefix }).on('error', onError),
    openWorker: (kind, process) => {
      // Without a timeout, a lost answer leaves the worker idle for good. BullMQ itself watches waiting commands.
      const connection = withoutEventStream(
        connectRedis(settings, { maxRetriesPerRequest: null, commandTimeout: COMMAND_TIMEOUT_MS, onError }),
      );
      workerConnections.push(connection);
      const options = { ...WORKER_OPTIONS, drainDelay: IDLE_WAIT_SECONDS, connection, prefix };
      return new RedisWorker(QUEUE_NAMES[kind], process, options).on('error', onError);
    },
    generation: () => generation.read(redis),
    isSettled: () => generation.isSettled(redis),
    withoutJob: async (eventIds) => {
      const keys = eventIds.map((id) => `${prefix}:${QUEUE_NAMES.express}:${id}`);
      const found = await Promise.all(keys.map((key) => redis.exists(key)));
      return eventIds.filter((_, place) => found[place] === 0);
    },
    close: async () => {
      for (const connection of [...workerConnections, redis]) connection.disconnect();
    },
  };
}

/** Fewer delay jobs, more take connections from the rest of the installation. */
const MAX_CONNECTIONS_PER_POOL = 3;

const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(resilientBackend);

/** Several times slower than Redis, but never loses jobs. */
function postgresBackend(settings: Settings, onError: OnError): QueueBackend {
  const connection: PostgresPoolConfig = {
    // BullMQ's LISTEN and schema belong to a session, which a transaction pooler does not allow.
    ...connectionOptions(settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL),
    application_name: 'deskwire-queue',
    schema: 'deskwire_queue',
    migrate: true,
    max: MAX_CONNECTIONS_PER_POOL,
  };
  return {
    name: 'postgresql',
    isReady: true,
    openQueue: (kind) => new PostgresQueue(QUEUE_NAMES[kind], { connection }).on('error', onError),
    openWorker: (kind, process) =>
      new PostgresWorker(QUEUE_NAMES[kind], process, { ...WORKER_OPTIONS, connection }).on('error', onError),
    generation: () => Promise.resolve({ id: 'postgresql', isNew: false }),
    isSettled: () => Promise.resolve(true),
    withoutJob: (eventIds) => Promise.resolve([...eventIds]),
    close: () => Promise.resolve(),
  };
}

/** Express events in all, and bulk deliveries for each worker. Fewer leave workers idle, more fill Redis. */
export const MAX_QUEUED = 2_000;

/** In jobs. */
export interface QueueSize {
  readonly express: number;
  readonly bulk: number;
  readonly active: number;
}

/** Fails at once while the queue is away. Leased deliveries become due again. */
export class DeliveryQueue {
  private readonly queues: Readonly<Record<QueueKind, BullQueue>>;
  private closing: Promise<void> | undefined;

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

  get isReady(): boolean {
    return this.backend.isReady;
  }

  /** Adds a job for the first attempts of each event. */
  async addEvents(eventIds: readonly string[]): Promise<void> {
    await this.addJobs('express', eventIds.map(eventJob));
  }

  async add(kind: QueueKind, groups: readonly DeliveryGroup[]): Promise<void> {
    await this.addJobs(kind, groups.map(groupJob));
  }

  withoutJob(eventIds: readonly string[]): Promise<string[]> {
    return this.backend.withoutJob(eventIds);
  }

  /** One round trip. A pipeline copies every script of BullMQ: a seventh of a worker's allocations with single events. */
  private async addJobs(kind: QueueKind, [first, ...others]: readonly QueueJob[]): Promise<void> {
    const queue = this.queues[kind];
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

  /** While false, a worker may be sending an event whose job was lost. */
  isSettled(): Promise<boolean> {
    return this.backend.isSettled();
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
