// @module-tag long
import { readSettings } from '#libs/settings';
import { inspectRedis } from '#libs/delivery';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { ApiClient } from '#test/support/api-client.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { ACCOUNT_RULES, expectSufficientAccount } from './support/redis-account.js';

const EVERYTHING = ['on', '>secret', '~*', '+@all'];

let server: PrivateServer;
let admin: Redis;
let desk: Desk;

beforeAll(async () => {
  server = await startServer('redis');
  admin = new Redis(server.url);
  const settings = { QUEUE_PREFIX: 'deskwire', LOG_LEVEL: 'error' };
  desk = await startDesk({ redisUrl: addressOf('deskwire'), settings });
  await allow(ACCOUNT_RULES);
});
afterAll(async () => {
  admin.disconnect();
  await desk.stop();
  await server.stop();
});

describe('an account of Redis', () => {
  it('suffices with the documented rules to deliver, to count requests, and for doctor', async () => {
    await expect(expectSufficientAccount(desk)).resolves.toBeUndefined();
  });

  it('fails at the start without INFO, naming the missing right and where to read about it', async () => {
    await allow(['blind', ...EVERYTHING, '-info']);

    const worker = await desk.worker({ REDIS_URL: addressOf('blind') });

    expect(await worker.exited).toBe(1);
    expect(worker.output()).toMatch(/Redis refuses what the queue needs \(.*INFO is refused.*\): .*docs\/machines\.md/);
    expect(worker.output()).not.toContain('secret');
    expect((await runCli(['doctor'], { ...desk.environment, REDIS_URL: addressOf('blind') })).out).toContain(
      'Redis refuses what the queue needs',
    );
  });

  it.each([
    ['@sortedset', 'ZREM'],
    ['@list', 'LREM'],
    ['@hash', 'HDEL'],
    ['@set', 'SREM'],
    ['@stream', 'XTRIM'],
    ['@keyspace', 'DEL'],
    ['@scripting', 'eval'],
    ['@blocking', 'bzpopmin'],
  ])('fails without %s, naming %s', async (category, command) => {
    await allow(['short', 'reset', ...EVERYTHING, `-${category}`]);

    await expect(inspected('short')).rejects.toThrow(new RegExp(`Redis refuses what the queue needs .*${command}`));
  });

  it('fails without the keys of the queue, too', async () => {
    await allow(['elsewhere', 'reset', 'on', '>secret', '~{another}:*', '+@all']);

    await expect(inspected('elsewhere')).rejects.toThrow(/Redis refuses what the queue needs .*key/);
  });

  it('lets requests pass without the keys that count them, with a warning of the API and doctor', async () => {
    await allow(['uncounted', 'reset', 'on', '>secret', '~{deskwire}:*', '+@all']);
    const settings = { REDIS_URL: addressOf('uncounted') };
    const api = await desk.apiProcess(settings);

    const client = new ApiClient(api.base, desk.account.owner.token);
    const answers = [await client.get('/v1/me'), await client.get('/v1/me')];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const told = await eventually(() => api.output().match(/Redis refuses what counts requests[^"]*/g) ?? false);
    expect(told).toEqual([expect.stringMatching(/no limits apply \(.*key.*docs\/machines\.md/)]);
    expect((await runCli(['doctor'], { ...desk.environment, ...settings })).out).toMatch(
      /^red +queue +Redis refuses what counts requests/m,
    );
  });
});

it('warns at the start of a worker that Redis evicts keys', async () => {
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');

  const worker = await desk.worker();

  await eventually(() => worker.output().includes('evicts by allkeys-lru: set maxmemory-policy noeviction'));
  expect((await runCli(['doctor'], desk.environment)).out).toMatch(/^red +queue +Redis .* evicts by allkeys-lru/m);
});

const inspected = (user: string) => inspectRedis(readSettings({ ...desk.environment, REDIS_URL: addressOf(user) }));

const addressOf = (user: string): string => {
  const url = new URL(server.url);
  url.username = user;
  url.password = 'secret';
  return url.href;
};

async function allow(words: string[]): Promise<void> {
  await admin.call('ACL', ['SETUSER', ...words]);
}
