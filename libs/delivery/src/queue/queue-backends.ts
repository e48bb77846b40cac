import { connectionOptions } from '#libs/database';
import { type RedisClient, connectRedis } from '#libs/redis';
import type { Settings } from '#libs/settings';
import { type PostgresPoolConfig, type Processor, Queue, withBackend } from 'bullmq';
import { LEASE_MS } from '../ledger/lease.statements.js';
import {
  type BullQueue,
  type BullWorker,
  resilientBackend,
  sparingBackend,
  withoutEventStream,
} from './bullmq-internals.js';
import { type JobData, QUEUE_NAMES, type QueueKind } from './delivery-job.js';
import {
  COMMAND_TIMEOUT_MS,
  type StrandedEvents,
  findStranded,
  keyPrefix,
  noteWorker,
  requireWrites,
} from './redis-state.js';

export type OnError = (error: Error) => void;

export interface QueueBackend {
  readonly name: 'redis' | 'postgresql';
  readonly isReady: boolean;
  openQueue(kind: QueueKind): BullQueue;
  openWorker(kind: QueueKind, process: Processor<JobData, void>): BullWorker;
  noteWorker(): Promise<void>;
  findStranded(eventIds: readonly string[]): Promise<StrandedEvents>;
  requireWrites(): Promise<void>;
  close(): Promise<void>;
}

/** The delay after a restart of Redis. BullMQ’s default is 15 s. */
const RUN_RETRY_MS = 500;

/** The lock of an event’s job is its lease: after a crash of the worker, the relay takes the event. */
const WORKER_OPTIONS = { autorun: false, runRetryDelay: RUN_RETRY_MS, lockDuration: LEASE_MS } as const;

/** If shorter, an idle worker sends more commands. If longer, the socket times out. */
const IDLE_WAIT_SECONDS = 8;

const { Worker: RedisWorker } = withBackend(sparingBackend);

export function redisBackend(settings: Settings, onError: OnError): QueueBackend {
  const prefix = keyPrefix(settings);
  const redis = withoutEventStream(
    connectRedis(settings, {
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: COMMAND_TIMEOUT_MS,
      onError,
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
      // Without a timeout, a lost response leaves the worker idle for good. BullMQ itself watches waiting commands.
      const connection = withoutEventStream(
        connectRedis(settings, { maxRetriesPerRequest: null, commandTimeout: COMMAND_TIMEOUT_MS, onError }),
      );
      workerConnections.push(connection);
      const options = { ...WORKER_OPTIONS, drainDelay: IDLE_WAIT_SECONDS, connection, prefix };
      return new RedisWorker(QUEUE_NAMES[kind], process, options).on('error', onError);
    },
    noteWorker: () => noteWorker(redis, settings),
    findStranded: (eventIds) => findStranded(redis, `${prefix}:${QUEUE_NAMES.express}`, eventIds),
    requireWrites: () => requireWrites(redis, settings),
    close: async () => {
      for (const connection of [...workerConnections, redis]) connection.disconnect();
    },
  };
}

/** If fewer, jobs wait. If more, they take connections from the rest of the installation. */
const MAX_CONNECTIONS_PER_POOL = 3;

const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(resilientBackend);

/** Several times slower than Redis, but never loses jobs. */
export function postgresBackend(settings: Settings, onError: OnError): QueueBackend {
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
    noteWorker: () => Promise.resolve(),
    // Express events are left over from a queue in Redis.
    findStranded: (abandoned) => Promise.resolve({ missing: [], abandoned }),
    requireWrites: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
