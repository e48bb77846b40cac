import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Settings } from '#libs/settings';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { OnError, ProcessJob, QueueBackend, QueueGeneration } from './queue-backend.js';
import { type QueueKind, QUEUE_NAMES } from './delivery-job.js';
import { WORKER_OPTIONS, processJob } from './worker-options.js';

/** A call that waits longer is taken for failed: the rows it was about are leased, and come again by themselves. */
const COMMAND_TIMEOUT_MS = 5_000;

/** History is in PostgreSQL; BullMQ's own stream of what happened is kept no longer than it must. */
const QUEUE_EVENTS_KEPT = 100;

const reconnect = (times: number): number => Math.min(50 * times, 1_000);

/**
 * Names the life of this Redis's memory in one key: the server's run id and a word of chance. It is gone when the
 * memory was wiped, and belongs to another run when the server was restarted or replaced; in both, jobs may be missing.
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
    retryStrategy: reconnect,
  });
  redis.on('error', onError);
  const run = new RedisRunId(redis);
  return {
    name: 'redis',
    openQueue: (lane, onQueueError) => {
      const streams = { events: { maxLen: QUEUE_EVENTS_KEPT } };
      return new Queue(QUEUE_NAMES[lane], { connection: redis, prefix, streams }).on('error', onQueueError);
    },
    openWorker: (kind, perform, onWorkerError) => openWorker({ url, prefix, kind, perform }, onWorkerError),
    generation: async () => lifeOf(redis, generationKey(settings), await run.id()),
    close: async () => redis.disconnect(),
  };
}

/** Where the life of the memory is named. */
export const generationKey = (settings: Settings): string => `${prefixOf(settings)}:${QUEUE_NAMES.bulk}:life`;

/** In braces, so that Redis Cluster keeps the keys of the queue on one node. */
const prefixOf = ({ QUEUE_PREFIX }: Settings): string => `{${QUEUE_PREFIX}}`;

interface WorkerParts {
  readonly url: string;
  readonly prefix: string;
  readonly kind: QueueKind;
  readonly perform: ProcessJob;
}

function openWorker({ url, prefix, kind, perform }: WorkerParts, onError: OnError): Worker {
  const connection = { url, maxRetriesPerRequest: null, retryStrategy: reconnect };
  const options = { ...WORKER_OPTIONS, connection, prefix };
  return new Worker(QUEUE_NAMES[kind], (job) => processJob(perform, job), options).on('error', onError);
}

async function lifeOf(redis: Redis, key: string, runId: string): Promise<QueueGeneration> {
  const [id, isNew] = (await redis.eval(GENERATION_SCRIPT, 1, key, runId, `${runId}:${randomUUID()}`)) as [
    string,
    number,
  ];
  return { id, isNew: isNew === 1 };
}

/** Asked once for each connection: another server, or the same one started anew, means another connection. */
class RedisRunId {
  private asked: Promise<string> | undefined;

  constructor(private readonly redis: Redis) {
    redis.on('close', () => (this.asked = undefined));
  }

  id(): Promise<string> {
    this.asked ??= this.ask();
    return this.asked;
  }

  private async ask(): Promise<string> {
    try {
      if (this.redis.status !== 'ready')
        await once(this.redis, 'ready', { signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS) });
      const info = await this.redis.info('server');
      return /^run_id:(\w+)/m.exec(info)?.[1] ?? 'unnamed';
    } catch (error) {
      this.asked = undefined;
      throw error;
    }
  }
}
