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
function newCache({ owner = 'webhook', telemetry = {} } = {}) {
  const reads: string[][] = [];
  const rows = (_query: unknown, [ids]: [string[]]) => {
    reads.push(ids);
    return Promise.resolve(ids.map((id) => ({ id, webhookId: owner, ...sealed })));
  };
  const database = { system: () => ({ rows }) } as unknown as Database;
  const cache = new SecretCache(database, telemetry as WorkerMetrics, { SECRETS_KEY: keys } as unknown as Settings);
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

  it('reads nothing when it has every secret', async () => {
    const { cache, reads } = newCache();
    await cache.load([]);

    expect(reads).toEqual([]);
  });

  it('logs a secret that cannot be opened, and returns the others', async () => {
    const interruptions: unknown[][] = [];
    const telemetry = { interrupted: (...call: unknown[]) => void interruptions.push(call) };
    const { cache } = newCache({ owner: 'another webhook', telemetry });
    await cache.load(['a']);

    expect(cache.get(['a'])).toEqual([]);
    expect(interruptions).toEqual([
      ['a webhook’s secret cannot be opened, so nothing is sent to it', expect.any(Error)],
    ]);
  });
});
