import {
  type RedisClient,
  connectRedis,
  describeRedisOutage,
  describeRedisRefusal,
  describeUncountedRequests,
  isRefusedByRedis,
  isRefusedLogin,
  isUnwritable,
  requestsKey,
} from '#libs/redis';
import type { Settings } from '#libs/settings';
import { keyPrefix, workersKey } from './redis-state.js';

export interface QueueState {
  readonly version: string;
  readonly evictionPolicy: string;
  readonly keepsOnDisk: boolean;
  readonly hasWorkers: boolean;
  readonly refusedToRequests: string | undefined;
}

export class RedisRefuses extends Error {
  override readonly name = 'RedisRefuses';
}

export const evictionFault = ({ version, evictionPolicy }: QueueState): string | undefined =>
  evictionPolicy === 'noeviction'
    ? undefined
    : `Redis ${version} evicts by ${evictionPolicy}: set maxmemory-policy noeviction, or the queue is forgotten`;

/**
 * Tries each kind of command on a missing key, which stays missing. SET is the first, because Redis lets a script that
 * has written exceed the memory.
 */
const INSPECT_SCRIPT = `
  local info = redis.pcall('INFO')
  if type(info) == 'table' then return redis.error_reply('INFO is refused: ' .. tostring(info.err)) end
  for _, tried in ipairs({
    { 'SET', KEYS[2], '' },
    { 'DEL', KEYS[2] },
    { 'ZREM', KEYS[2], '-' },
    { 'LREM', KEYS[2], 0, '-' },
    { 'HDEL', KEYS[2], '-' },
    { 'SREM', KEYS[2], '-' },
    { 'XTRIM', KEYS[2], 'MAXLEN', 0 },
    { 'PEXPIRE', KEYS[2], 1 },
  }) do
    local answer = redis.pcall(unpack(tried))
    if type(answer) == 'table' and answer.err then return redis.error_reply(tried[1] .. ': ' .. tostring(answer.err)) end
  end
  return { info, redis.call('EXISTS', KEYS[1]) }`;

const INSPECT_TIMEOUT_MS = 3_000;

const BLOCKS_FOR_SECONDS = 0.01;

/** Hosted servers support INFO too. Throws if Redis is away or refuses. */
export async function inspectRedis(settings: Settings): Promise<QueueState> {
  let reason: Error | undefined;
  const redis = connectRedis(settings, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    commandTimeout: INSPECT_TIMEOUT_MS,
    retryStrategy: () => null,
    // A command’s error only says that there is no connection.
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

async function inspect(redis: RedisClient, settings: Settings): Promise<[info: string, hasWorkers: 0 | 1]> {
  await redis.connect();
  const missingKey = `${keyPrefix(settings)}:nothing`;
  const answer = await redis.eval(INSPECT_SCRIPT, 2, workersKey(settings), missingKey);
  await redis.bzpopmin(missingKey, BLOCKS_FOR_SECONDS);
  return answer as [string, 0 | 1];
}

async function refusedToRequests(redis: RedisClient, settings: Settings): Promise<string | undefined> {
  try {
    await redis.eval("return redis.call('PEXPIRE', KEYS[1], 1)", 1, requestsKey(settings, 'nobody', 'nothing'));
    return undefined;
  } catch (error) {
    if (!isRefusedByRedis(error as Error)) throw error;
    return describeUncountedRequests(error as Error);
  }
}

function refusalIn(error: Error): Error | undefined {
  if (isRefusedLogin(error)) return new RedisRefuses(describeRedisOutage(error));
  // An outage, for which a worker waits.
  if (isUnwritable(error)) return new Error(describeRedisOutage(error));
  if (!error.message.includes('INFO is refused') && !isRefusedByRedis(error)) return undefined;
  return new RedisRefuses(describeRedisRefusal('what the queue needs', error));
}

function stateOf(info: string, hasWorkers: 0 | 1): Omit<QueueState, 'refusedToRequests'> {
  const fields = new Map(info.split('\r\n').map((line) => line.split(':') as [string, string]));
  const field = (name: string): string => fields.get(name) ?? '';
  return {
    version: field('redis_version'),
    evictionPolicy: field('maxmemory_policy'),
    keepsOnDisk: field('aof_enabled') === '1',
    hasWorkers: hasWorkers === 1,
  };
}
