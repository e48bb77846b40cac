import { type RedisClient, connectRedis } from '#libs/redis';
import type { Settings } from '#libs/settings';
import { generationKey } from './queue-life.js';

const TIMEOUT_MS = 3_000;

/** What Redis says about itself, as far as the queue depends on it. */
export interface QueueState {
  readonly version: string;
  readonly evictionPolicy: string;
  readonly keepsOnDisk: boolean;
  /** Whether the mark that workers left is there, and is of this run of the server. */
  readonly mark: 'current' | 'stale' | 'missing';
}

/** The account of REDIS_URL may not do what the queue needs. */
export class RedisRefuses extends Error {
  override readonly name = 'RedisRefuses';
}

/** What is wrong with a Redis that forgets by itself, in words; nothing, where it does not. */
export const evictionFault = ({ version, evictionPolicy }: QueueState): string | undefined =>
  evictionPolicy === 'noeviction'
    ? undefined
    : `Redis ${version} evicts by ${evictionPolicy}: set maxmemory-policy noeviction, or the queue is forgotten`;

/** In a Cluster, as everywhere: of the server that has the queue. */
const INSPECT_SCRIPT = `
  local info = redis.pcall('INFO')
  if type(info) == 'table' then return redis.error_reply('INFO is refused: ' .. tostring(info.err)) end
  return { info, redis.call('GET', KEYS[1]) }`;

/** By INFO alone, which hosted servers answer as well. Throws where it cannot be reached, or refuses. */
export async function inspectRedis(settings: Settings): Promise<QueueState> {
  let reason: Error | undefined;
  const redis = connectRedis(settings, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
    // What a command says is only that there is no connection.
    onError: (error) => (reason = error),
  });
  try {
    return stateOf(...(await inspect(redis, generationKey(settings))));
  } catch (error) {
    throw refusalIn(error as Error) ?? reason ?? error;
  } finally {
    redis.disconnect();
  }
}

async function inspect(redis: RedisClient, key: string): Promise<[info: string, mark: string | null]> {
  await redis.connect();
  return (await redis.eval(INSPECT_SCRIPT, 1, key)) as [string, string | null];
}

/** Redis names the command or the key. */
function refusalIn({ message }: Error): RedisRefuses | undefined {
  if (!/INFO is refused|NOPERM|ACL failure|no permissions/i.test(message)) return undefined;
  return new RedisRefuses(
    `Redis refuses what the queue needs (${message}): give the account of REDIS_URL the rules that docs/machines.md lists under “An account of Redis”`,
  );
}

function stateOf(info: string, mark: string | null): QueueState {
  const fields = new Map(info.split('\r\n').map((line) => line.split(':') as [string, string]));
  const field = (name: string): string => fields.get(name) ?? '';
  const isCurrent = mark?.startsWith(field('run_id')) ?? false;
  return {
    version: field('redis_version'),
    evictionPolicy: field('maxmemory_policy'),
    keepsOnDisk: field('aof_enabled') === '1',
    mark: mark === null ? 'missing' : isCurrent ? 'current' : 'stale',
  };
}
