import type { Settings } from '#libs/settings';
import { Redis } from 'ioredis';
import { generationKey } from './redis-backend.js';

const TIMEOUT_MS = 3_000;

/** What Redis says about itself, as far as the queue depends on it. */
export interface QueueState {
  readonly version: string;
  readonly evictionPolicy: string;
  readonly keepsOnDisk: boolean;
  /** Whether the mark that workers left is there, and is of this run of the server. */
  readonly mark: 'current' | 'stale' | 'missing';
}

/** By INFO alone, which hosted servers answer as well. Throws where it cannot be reached. */
export async function inspectRedis(settings: Settings, url: string): Promise<QueueState> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
  });
  // Each command says by itself that it failed.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const info = await redis.info();
    const mark = await redis.get(generationKey(settings));
    const fields = new Map(info.split('\r\n').map((line) => line.split(':') as [string, string]));
    return stateOf((field) => fields.get(field) ?? '', mark);
  } finally {
    redis.disconnect();
  }
}

function stateOf(field: (name: string) => string, mark: string | null): QueueState {
  const isCurrent = mark?.startsWith(field('run_id')) ?? false;
  return {
    version: field('redis_version'),
    evictionPolicy: field('maxmemory_policy'),
    keepsOnDisk: field('aof_enabled') === '1',
    mark: mark === null ? 'missing' : isCurrent ? 'current' : 'stale',
  };
}
