import type { RedisClient } from '#libs/redis';
import type { Settings } from '#libs/settings';
import { WORKER_GONE_AFTER_MS } from '../heartbeat.js';

/** Braces keep all keys on one node of a Cluster. */
export const keyPrefix = ({ QUEUE_PREFIX }: Settings): string => `{${QUEUE_PREFIX}}`;

/** If longer, a lost response delays what waits for it. If shorter, a busy Redis counts as away. */
export const COMMAND_TIMEOUT_MS = 5_000;

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

export const workersKey = (settings: Settings): string => `${keyPrefix(settings)}:workers`;

/** Shows for some time that a worker uses this queue. */
export async function noteWorker(redis: RedisClient, settings: Settings): Promise<void> {
  await redis.set(workersKey(settings), '', 'PX', WORKER_GONE_AFTER_MS);
}

/** A server without memory or disk space, or a replica, serves reads only. */
export async function requireWrites(redis: RedisClient, settings: Settings): Promise<void> {
  await redis.set(`${keyPrefix(settings)}:write`, '', 'PX', 1);
}
