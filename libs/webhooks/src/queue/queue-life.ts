import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RedisClient } from '#libs/redis';
import type { Settings } from '#libs/settings';
import { QUEUE_NAMES } from './delivery-job.js';
import type { QueueGeneration } from './queue-backend.js';

/**
 * Names the life of the memory that holds the queue, in one key: the server's run id and a random word. It is gone when
 * the memory was wiped, and belongs to another run when the server was restarted or replaced; in both, jobs may be
 * missing. The script asks for the run id where it runs, which in a Cluster is the server that has the queue.
 */
const GENERATION_SCRIPT = `
  local info = redis.pcall('INFO', 'server')
  if type(info) == 'table' then return redis.error_reply('INFO is refused: ' .. tostring(info.err)) end
  local run = string.match(info, 'run_id:(%w+)') or 'unnamed'
  local life = redis.call('GET', KEYS[1])
  if life and string.sub(life, 1, #run) == run then return { life, 0 } end
  life = run .. ':' .. ARGV[1]
  redis.call('SET', KEYS[1], life)
  return { life, 1 }`;

const CONNECT_TIMEOUT_MS = 5_000;

/** One round trip. */
export async function readGeneration(redis: RedisClient, settings: Settings): Promise<QueueGeneration> {
  if (redis.status !== 'ready') await waitUntilReady(redis);
  const [id, isNew] = (await redis.eval(GENERATION_SCRIPT, 1, generationKey(settings), randomUUID())) as [
    string,
    number,
  ];
  return { id, isNew: isNew === 1 };
}

/** The error of the connection alone does not tell which server it was to. */
async function waitUntilReady(redis: RedisClient): Promise<void> {
  const ready = once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
  await ready.catch((error: Error) => {
    throw new Error(`Connection is closed (${error.message})`, { cause: error });
  });
}

/** Where the life of the memory is named. */
export const generationKey = (settings: Settings): string => `${prefixOf(settings)}:${QUEUE_NAMES.bulk}:life`;

/** In braces, so that Redis Cluster keeps the keys of the queue on one node. */
export const prefixOf = ({ QUEUE_PREFIX }: Settings): string => `{${QUEUE_PREFIX}}`;
