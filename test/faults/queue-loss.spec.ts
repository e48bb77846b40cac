import { DeliveryQueue } from '#libs/webhooks';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { eventually } from '../support/eventually.js';
import { type PrivateServer, startServer } from '../support/servers.js';

let redis: PrivateServer;
let desk: Desk;
let queue: DeliveryQueue;

beforeAll(async () => {
  redis = await startServer('redis', { durable: true });
  desk = await startDesk({ queue: 'redis', redisUrl: redis.url });
  queue = DeliveryQueue.open(desk.settings, () => undefined);
});
afterAll(async () => {
  await queue.close();
  await desk.stop();
  await redis.stop();
});

it('notices a wiped Redis, and one that was restarted with its keys', async () => {
  const first = await queue.generation();
  const again = await queue.generation();
  const client = new Redis(redis.url).on('error', () => undefined);
  await client.flushall();
  const wiped = await queue.generation();

  await redis.kill9();
  await redis.restart();
  const kept = await client.get(`{${desk.settings.QUEUE_PREFIX}}:deliveries:life`);
  const restarted = await eventually(async () => {
    const found = await queue.generation();
    return found.id !== wiped.id && found;
  });
  client.disconnect();

  expect([first.isNew, again, wiped.isNew]).toEqual([true, { id: first.id, isNew: false }, true]);
  expect([kept, restarted.isNew]).toEqual([wiped.id, true]);
});
