import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  type RedisClient,
  connectRedis,
  describeRedisOutage,
  isRefusedByRedis,
  isRefusedLogin,
  requestsKey,
  describeRedisRefusal,
  describeUncountedRequests,
} from '#libs/redis';
import type { Settings } from '#libs/settings';
import { LEASE_MS } from '../ledger/lease.statements.js';
import { QUEUE_NAMES } from './delivery-job.js';

/** Braces keep all keys on one node of a Cluster. */
export const keyPrefix = ({ QUEUE_PREFIX }: Settings): string => `{${QUEUE_PREFIX}}`;

const generationKey = (settings: Settings): string => `${keyPrefix(settings)}:${QUEUE_NAMES.bulk}:life`;

/** Jobs may be lost when it changes. */
export interface QueueGeneration {
  readonly id: string;
  /** True for one caller of all processes. */
  readonly isNew: boolean;
}

/**
 * The key is missing after a wipe, and its run id differs after a restart. A script, because a Cluster must ask the
 * server that has the queue.
 */
const GENERATION_SCRIPT = `
  local info = redis.pcall('INFO', 'server')
  if type(info) == 'table' then return redis.error_reply('INFO is refused: ' .. tostring(info.err)) end
  local run = string.match(info, 'run_id:(%w+)') or 'unnamed'
  local life = redis.call('GET', KEYS[1])
  if life and string.sub(life, 1, #run) == run then return { life, 0 } end
  life = run .. ':' .. ARGV[1]
  redis.call('SET', KEYS[1], life)
  redis.call('SET', KEYS[2], '', 'PX', ARGV[2])
  return { life, 1 }`;

/** Shorter, deliveries that other workers reclaim at their next check but one are sent twice. */
export const DUE_AFTER_LOSS_MS = LEASE_MS / 3;

/** Longer, a lost answer delays what waits for it. Shorter, a busy Redis counts as away. */
export const COMMAND_TIMEOUT_MS = 5_000;

/** A restart or another server needs a new connection, so the script runs once for each. Then the key shows a wipe. */
export class GenerationReader {
  private checked: string | undefined;
  private readonly keys: readonly [id: string, loss: string];

  constructor(settings: Settings) {
    this.keys = [generationKey(settings), `${keyPrefix(settings)}:${QUEUE_NAMES.bulk}:loss`];
  }

  connected(): void {
    this.checked = undefined;
  }

  async read(redis: RedisClient): Promise<QueueGeneration> {
    if (redis.status !== 'ready') await waitUntilReady(redis);
    if (this.checked !== undefined && (await redis.get(this.keys[0])) === this.checked)
      return { id: this.checked, isNew: false };
    const answer = await redis.eval(GENERATION_SCRIPT, 2, ...this.keys, randomUUID(), DUE_AFTER_LOSS_MS);
    const [id, isNew] = answer as [string, number];
    this.checked = id;
    return { id, isNew: isNew === 1 };
  }

  /** False for a time after a loss, in which every worker notices it and reclaims what it is sending. */
  async isSettled(redis: RedisClient): Promise<boolean> {
    const [id, loss] = await redis.mget(...this.keys);
    return this.checked !== undefined && id === this.checked && loss === null;
  }
}

/** The connection’s own error does not name Redis. */
async function waitUntilReady(redis: RedisClient): Promise<void> {
  const ready = once(redis, 'ready', { signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS) });
  await ready.catch((error: Error) => {
    throw new Error(`Connection is closed (${error.message})`, { cause: error });
  });
}

export interface QueueState {
  readonly version: string;
  readonly evictionPolicy: string;
  readonly keepsOnDisk: boolean;
  readonly mark: 'current' | 'stale' | 'missing';
  readonly refusedToRequests: string | undefined;
}

export class RedisRefuses extends Error {
  override readonly name = 'RedisRefuses';
}

export const evictionFault = ({ version, evictionPolicy }: QueueState): string | undefined =>
  evictionPolicy === 'noeviction'
    ? undefined
    : `Redis ${version} evicts by ${evictionPolicy}: set maxmemory-policy noeviction, or the queue is forgotten`;

/** Tries each kind of command on a missing key, so nothing changes. */
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

const INSPECT_TIMEOUT_MS = 3_000;

const BLOCKS_FOR_SECONDS = 0.01;

/** Hosted servers answer INFO too. Throws if Redis is away or refuses. */
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

async function inspect(redis: RedisClient, settings: Settings): Promise<[info: string, mark: string | null]> {
  await redis.connect();
  const missingKey = `${keyPrefix(settings)}:nothing`;
  const answer = await redis.eval(INSPECT_SCRIPT, 2, generationKey(settings), missingKey);
  await redis.bzpopmin(missingKey, BLOCKS_FOR_SECONDS);
  return answer as [string, string | null];
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

function refusalIn(error: Error): RedisRefuses | undefined {
  if (isRefusedLogin(error)) return new RedisRefuses(describeRedisOutage(error));
  if (!error.message.includes('INFO is refused') && !isRefusedByRedis(error)) return undefined;
  return new RedisRefuses(describeRedisRefusal('what the queue needs', error));
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
