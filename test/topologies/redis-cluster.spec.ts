// @module-tag long
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { connectRedis } from '#libs/redis';
import { readSettings } from '#libs/settings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { arrivals, recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { RedisCluster } from './support/redis-cluster.js';

/** Longer than the silence after which a connection is given up. */
const WITHIN_MS = 15_000;

let cluster: RedisCluster;
let desk: Desk;

beforeAll(async () => {
  cluster = await RedisCluster.start();
  desk = await startDesk({ settings: cluster.settings });
}, 90_000);
afterAll(async () => {
  await desk?.stop();
  await cluster?.stop();
});

it('continues deliveries while the slot of the queue moves to another node', { timeout: 60_000 }, async () => {
  await desk.worker();
  const receiver = await desk.receiver();
  await desk.webhook('customer_added', receiver.url);
  await recordEvents(desk, 100);
  await receiver.received(100);

  const sending = recordEvents(desk, 300);
  await cluster.moveSlotOf(`{${desk.settings.QUEUE_PREFIX}}:workers`);
  await sending;

  await receiver.received(400, { withinMs: 30_000 });
  expect(arrivals([receiver]).events).toBe(400);
});

it('connects every client soon while a node is frozen', { timeout: 60_000 }, async () => {
  const place = readSettings({ ...desk.environment, ...cluster.settings });
  const frozen = await cluster.ownerOf('a key');
  frozen.freeze();
  // Each picks one of the six at random.
  const clients = Array.from({ length: 30 }, () =>
    connectRedis(place, { maxRetriesPerRequest: null, lazyConnect: true, onError: () => undefined }),
  );
  const connected = await Promise.all(
    clients.map((client) => Promise.race([client.connect().then(() => true), delay(WITHIN_MS, false, { ref: false })])),
  );
  for (const client of clients) client.disconnect();
  frozen.thaw();
  await cluster.settled();
  expect(connected.filter((hasConnected) => !hasConnected)).toHaveLength(0);
});

describe('an account with the documented rules', () => {
  let own: Desk;

  beforeAll(async () => {
    for (const node of cluster.nodes) await node.ask((redis) => redis.call('ACL', ['SETUSER', ...accountRules()]));
    const REDIS_URL = cluster.settings['REDIS_URL']!.replace(/\/\/.*@/, '//deskwire:secret@');
    own = await startDesk({ settings: { ...cluster.settings, REDIS_URL, QUEUE_PREFIX: 'deskwire' } });
  });
  afterAll(() => own?.stop());

  it('suffices to deliver, to count requests, and for doctor', async () => {
    await own.worker();
    const receiver = await own.receiver();
    await own.webhook('customer_added', receiver.url);

    await recordEvents(own, 50);
    await receiver.received(50);

    const counted = await eventually(async () => (await own.client().get('/v1/me')).headers.get('ratelimit') ?? false);
    expect(counted).toContain('r=');
    expect((await runCli(['doctor'], own.environment)).out).toMatch(/queue +workers use this queue/);
  });
});

/** As docs/machines.md lists them, with its additions for a Cluster. */
function accountRules(): string[] {
  const told = readFileSync('docs/machines.md', 'utf8');
  const rules = /ACL SETUSER (deskwire .*)/.exec(told)![1]!;
  const added = /In a Cluster, add `([^`]*)`/.exec(told)![1]!;
  return `${rules} ${added}`.split(' ');
}
