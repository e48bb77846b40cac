import { afterAll, beforeAll, expect, it } from 'vitest';
import { arrivals, recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '../support/desk.js';
import { RedisCluster } from './support/redis-cluster.js';

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

it('deliveries go on while the slot of the queue moves to another node', { timeout: 60_000 }, async () => {
  await desk.worker();
  const receiver = await desk.receiver();
  await desk.webhook('customer_added', receiver.url);
  await recordEvents(desk, 100);
  await receiver.received(100);

  const sending = recordEvents(desk, 300);
  await cluster.moveSlotOf(`{${desk.settings.QUEUE_PREFIX}}:deliveries:life`);
  await sending;

  await receiver.received(400, { withinMs: 30_000 });
  expect(arrivals([receiver]).events).toBe(400);
});
