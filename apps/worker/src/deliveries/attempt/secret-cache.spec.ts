import { randomBytes } from 'node:crypto';
import type { Database } from '#libs/database';
import type { Settings } from '#libs/settings';
import { SecretBox } from '#libs/secret-box';
import { describe, expect, it } from 'vitest';
import type { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { SecretCache } from './secret-cache.js';

const CAPACITY = 10_000;
const keys = [{ id: 'key', key: randomBytes(32) }];
const sealed = new SecretBox(keys).seal('whsec_1', 'webhook');

/** Returns any requested secret and records which. */
function newCache() {
  const reads: string[][] = [];
  const rows = (_query: unknown, [ids]: [string[]]) => {
    reads.push(ids);
    return Promise.resolve(ids.map((id) => ({ id, webhookId: 'webhook', ...sealed })));
  };
  const database = { system: () => ({ rows }) } as unknown as Database;
  const cache = new SecretCache(database, {} as WorkerMetrics, { SECRETS_KEY: keys } as unknown as Settings);
  return { cache, reads };
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}`);

describe('SecretCache', () => {
  it('reads each secret once', async () => {
    const { cache, reads } = newCache();
    await cache.load(['a', 'b', 'a']);
    await cache.load(['b', 'c']);
    await cache.load(['a', 'c']);

    expect(reads).toEqual([['a', 'b'], ['c']]);
    expect(cache.get(['a', 'never'])).toEqual(['whsec_1']);
  });

  it('keeps the secrets of a batch while another batch fills the cache', async () => {
    const { cache, reads } = newCache();
    await cache.load(ids(0, CAPACITY));
    const slow = cache.load(['0', 'new']);
    await cache.load(ids(CAPACITY, CAPACITY + 200));
    await slow;

    expect(cache.get(['0', 'new'])).toHaveLength(2);
    expect(reads).toHaveLength(3);
  });
});
