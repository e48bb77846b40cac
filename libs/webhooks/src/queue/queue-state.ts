import {
  type RedisClient,
  connectRedis,
  describeRedisOutage,
  isRefusedByRedis,
  isRefusedLogin,
  requestsKey,
  tellRefusal,
  tellUncounted,
} from '#libs/redis';
import type { Settings } from '#libs/settings';
import { generationKey, prefixOf } from './queue-life.js';

const TIMEOUT_MS = 3_000;

/** What Redis says about itself, as far as the queue depends on it. */
export interface QueueState {
  readonly version: string;
  readonly evictionPolicy: string;
  readonly keepsOnDisk: boolean;
  /** Whether the mark that workers left is there, and is of this run of the server. */
  readonly mark: 'current' | 'stale' | 'missing';
  /** In words, where the account may not do what APIs need to count requests. */
  readonly refusedToRequests: string | undefined;
}

/** Redis does not know the account of REDIS_URL, or the account may not do what the queue needs. */
export class RedisRefuses extends Error {
  override readonly name = 'RedisRefuses';
}

/** What is wrong with a Redis that forgets by itself, in words; nothing, where it does not. */
export const evictionFault = ({ version, evictionPolicy }: QueueState): string | undefined =>
  evictionPolicy === 'noeviction'
    ? undefined
    : `Redis ${version} evicts by ${evictionPolicy}: set maxmemory-policy noeviction, or the queue is forgotten`;

/**
 * In a Cluster, as everywhere: of the server that has the queue. One command of each kind that the queue is made of is
 * tried on a key that is not there, which changes nothing.
 */
const INSPECT_SCRIPT = `
  local info = redis.pcall('INFO')
  if type(info) == 'table' then return redis.error_reply('INFO is refused: ' .. tostring(info.err)) end
  for _, tried in ipairs({
    { 'ZREM', KEYS[2], '-' },
    { 'LREM', KEYS[2], 0, '-' },
    { 'HDEL', KEYS[2], '-' },
    { 'SREM', KEYS[2], '-' },
    { 'XTRIM', KEYS[2], 'MAXLEN', 0 },
    { 'PEXPIRE', KEYS[2], 1 },
    { 'DEL', KEYS[2] },
  }) do
    local answer = redis.pcall(unpack(tried))
    if type(answer) == 'table' then return redis.error_reply(tried[1] .. ': ' .. tostring(answer.err)) end
  end
  return { info, redis.call('GET', KEYS[1]) }`;

/** What workers wait for jobs with, for as short as it can. */
const BLOCKS_FOR_SECONDS = 0.01;

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
    const state = stateOf(...(await inspect(redis, settings)));
    return { ...state, refusedToRequests: await refusedToRequests(redis, settings) };
  } catch (error) {
    throw refusalIn(error as Error) ?? (reason && refusalIn(reason)) ?? reason ?? error;
  } finally {
    redis.disconnect();
  }
}

async function inspect(redis: RedisClient, settings: Settings): Promise<[info: string, mark: string | null]> {
  await redis.connect();
  const nothing = `${prefixOf(settings)}:nothing`;
  const answer = await redis.eval(INSPECT_SCRIPT, 2, generationKey(settings), nothing);
  await redis.bzpopmin(nothing, BLOCKS_FOR_SECONDS);
  return answer as [string, string | null];
}

/** Tried on a key that is not there, as above. */
async function refusedToRequests(redis: RedisClient, settings: Settings): Promise<string | undefined> {
  try {
    await redis.eval("return redis.call('PEXPIRE', KEYS[1], 1)", 1, requestsKey(settings, 'nobody', 'nothing'));
    return undefined;
  } catch (error) {
    if (!isRefusedByRedis(error as Error)) throw error;
    return tellUncounted(error as Error);
  }
}

/** Redis names the command or the key. */
function refusalIn(error: Error): RedisRefuses | undefined {
  if (isRefusedLogin(error)) return new RedisRefuses(describeRedisOutage(error));
  if (!error.message.includes('INFO is refused') && !isRefusedByRedis(error)) return undefined;
  return new RedisRefuses(tellRefusal('what the queue needs', error));
}

function stateOf(info: string, mark: string | null): Omit<QueueState, 'refusedToRequests'> {
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
