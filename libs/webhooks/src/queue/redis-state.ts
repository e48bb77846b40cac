import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RedisClient } from '#libs/redis';
import type { Settings } from '#libs/settings';
import { LEASE_MS } from '../ledger/lease.statements.js';
import { QUEUE_NAMES } from './delivery-job.js';

/** Braces keep all keys on one node of a Cluster. */
export const keyPrefix = ({ QUEUE_PREFIX }: Settings): string => `{${QUEUE_PREFIX}}`;

export const generationKey = (settings: Settings): string => `${keyPrefix(settings)}:${QUEUE_NAMES.bulk}:life`;

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

/** Only a taken job has `processedOn`, and a living worker renews its lock. */
const STRANDED_SCRIPT = `
  local states = {}
  for at = 1, #KEYS, 2 do
    local state = ''
    if redis.call('EXISTS', KEYS[at]) == 0 then
      state = 'missing'
    elseif redis.call('HGET', KEYS[at], 'processedOn') and redis.call('EXISTS', KEYS[at + 1]) == 0 then
      state = 'abandoned'
    end
    states[#states + 1] = state
  end
  return states`;

export interface StrandedEvents {
  /** Without a job. */
  readonly missing: readonly string[];
  /** Their worker is gone. */
  readonly abandoned: readonly string[];
}

/** Round trips: 1. */
export async function findStranded(
  redis: RedisClient,
  jobsKey: string,
  eventIds: readonly string[],
): Promise<StrandedEvents> {
  const keys = eventIds.flatMap((id) => [`${jobsKey}:${id}`, `${jobsKey}:${id}:lock`]);
  const states = (await redis.eval(STRANDED_SCRIPT, keys.length, ...keys)) as string[];
  const inState = (state: string) => eventIds.filter((_, place) => states[place] === state);
  return { missing: inState('missing'), abandoned: inState('abandoned') };
}

/** A server without memory or disk space, or a replica, answers reads only. */
export async function requireWrites(redis: RedisClient, settings: Settings): Promise<void> {
  await redis.set(`${keyPrefix(settings)}:write`, '', 'PX', 1);
}

/** The connection’s own error does not name Redis. */
async function waitUntilReady(redis: RedisClient): Promise<void> {
  const ready = once(redis, 'ready', { signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS) });
  await ready.catch((error: Error) => {
    throw new Error(`Connection is closed (${error.message})`, { cause: error });
  });
}
