import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Settings } from '#libs/settings';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { QUEUE_NAMES } from './delivery-job.js';
import { type OnError, type QueueBackend, WORKER_OPTIONS } from './queue-backend.js';

/** A call that waits longer is taken for failed: the rows it was about are leased, and come again by themselves. */
const COMMAND_TIMEOUT_MS = 5_000;

/** History is in PostgreSQL; BullMQ's own stream of what happened is kept no longer than it must. */
const streams = { events: { maxLen: 100 } };

const retryStrategy = (times: number): number => Math.min(50 * times, 1_000);

/**
 * Names the life of this Redis's memory in one key: the server's run id and a random word. It is gone when the memory
 * was wiped, and belongs to another run when the server was restarted or replaced; in both, jobs may be missing.
 */
const GENERATION_SCRIPT = `
  local life = redis.call('GET', KEYS[1])
  if life and string.sub(life, 1, #ARGV[1]) == ARGV[1] then return { life, 0 } end
  redis.call('SET', KEYS[1], ARGV[2])
  return { ARGV[2], 1 }`;

export function redisBackend(settings: Settings, url: string, onError: OnError): QueueBackend {
  const prefix = prefixOf(settings);
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy,
  });
  redis.on('error', onError);
  // Asked once for each connection: another server, or the same one started anew, means another connection.
  let runId: string | undefined;
  redis.on('close', () => (runId = undefined));
  return {
    name: 'redis',
    openQueue: (kind) => new Queue(QUEUE_NAMES[kind], { connection: redis, prefix, streams }).on('error', onError),
    openWorker: (kind, process) => {
      const connection = { url, maxRetriesPerRequest: null, retryStrategy };
      return new Worker(QUEUE_NAMES[kind], process, { ...WORKER_OPTIONS, connection, prefix }).on('error', onError);
    },
    generation: async () => {
      runId ??= await readRunId(redis);
      const values = [generationKey(settings), runId, `${runId}:${randomUUID()}`];
      const [id, isNew] = (await redis.eval(GENERATION_SCRIPT, 1, ...values)) as [string, number];
      return { id, isNew: isNew === 1 };
    },
    close: async () => redis.disconnect(),
  };
}

/** Where the life of the memory is named. */
export const generationKey = (settings: Settings): string => `${prefixOf(settings)}:${QUEUE_NAMES.bulk}:life`;

/** In braces, so that Redis Cluster keeps the keys of the queue on one node. */
const prefixOf = ({ QUEUE_PREFIX }: Settings): string => `{${QUEUE_PREFIX}}`;

async function readRunId(redis: Redis): Promise<string> {
  if (redis.status !== 'ready') await once(redis, 'ready', { signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS) });
  return /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1] ?? 'unnamed';
}
