// @module-tag long
import { setTimeout as delay } from 'node:timers/promises';
import { connectRedis } from '#libs/redis';
import { readSettings } from '#libs/settings';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { arrivals, recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { ACCOUNT_RULES, CLUSTER_RULES, expectSufficientAccount } from './support/redis-account.js';
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

it('needs no more of an account than the documented rules', async () => {
  const rules = [...ACCOUNT_RULES, ...CLUSTER_RULES];
  for (const node of cluster.nodes) await node.ask((redis) => redis.call('ACL', ['SETUSER', ...rules]));
  const REDIS_URL = cluster.settings['REDIS_URL']!.replace(/\/\/.*@/, '//deskwire:secret@');
  const own = await startDesk({ settings: { ...cluster.settings, REDIS_URL, QUEUE_PREFIX: 'deskwire' } });
  onTestFinished(() => own.stop());

  await expect(expectSufficientAccount(own)).resolves.toBeUndefined();
});
