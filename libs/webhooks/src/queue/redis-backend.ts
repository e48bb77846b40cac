import { type RedisClient, connectRedis } from '#libs/redis';
import type { Settings } from '#libs/settings';
import { Queue, withBackend } from 'bullmq';
import { QUEUE_NAMES } from './delivery-job.js';
import { type OnError, type QueueBackend, WORKER_OPTIONS } from './queue-backend.js';
import { prefixOf, readGeneration } from './queue-life.js';
import { sparingBackend } from './sparing-backend.js';

/** A call that waits longer is taken for failed: the rows it was about are leased, and come again by themselves. */
const COMMAND_TIMEOUT_MS = 5_000;

/**
 * Of what a worker asks besides waiting, which BullMQ watches by itself: a single call that is never answered would leave it
 * idle for good. Longer than a connection without an answer is kept.
 */
const WORKER_COMMAND_TIMEOUT_MS = 12_000;

/** History is in PostgreSQL; BullMQ's own stream of what happened is kept no longer than it must. */
const streams = { events: { maxLen: 100 } };

const { Worker } = withBackend(sparingBackend);

export function redisBackend(settings: Settings, onError: OnError): QueueBackend {
  const prefix = prefixOf(settings);
  const redis = connectRedis(settings, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    onError,
  });
  const ofWorkers: RedisClient[] = [];
  return {
    name: 'redis',
    openQueue: (kind) => new Queue(QUEUE_NAMES[kind], { connection: redis, prefix, streams }).on('error', onError),
    openWorker: (kind, process) => {
      const connection = connectRedis(settings, {
        maxRetriesPerRequest: null,
        commandTimeout: WORKER_COMMAND_TIMEOUT_MS,
        onError,
      });
      ofWorkers.push(connection);
      return new Worker(QUEUE_NAMES[kind], process, { ...WORKER_OPTIONS, connection, prefix }).on('error', onError);
    },
    generation: () => readGeneration(redis, settings),
    close: async () => {
      for (const one of [...ofWorkers, redis]) one.disconnect();
    },
  };
}
