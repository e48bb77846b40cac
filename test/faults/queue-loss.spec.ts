// @module-tag long
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { arrivals, recordEvents } from './traffic.js';

/** Whether the relay looks in the half second of an attempt is chance. */
const ROUNDS = 5;

let redis: PrivateServer;
let desk: Desk;

beforeAll(async () => {
  redis = await startServer('redis');
  desk = await startDesk({ queue: 'redis', redisUrl: redis.url });
});
afterAll(async () => {
  await desk.stop();
  await redis.stop();
});

it('sends nothing twice that either of two workers was sending when Redis was wiped', { timeout: 60_000 }, async () => {
  await Promise.all([desk.worker(), desk.worker()]);
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 9_000 }] });
  await desk.webhook('customer_added', receiver.url);
  const owed = async () => (await desk.sql.query('select from owed_deliveries where queued')).rowCount;
  await recordEvents(desk, 8, 1);
  await receiver.received(8);
  await eventually(async () => (await owed()) === 8);
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();

  await eventually(async () => (await desk.sql.query('select from owed_deliveries')).rowCount === 0, {
    withinMs: 30_000,
  });

  expect(arrivals([receiver])).toEqual({ events: 8, duplicates: 0 });
});

it('sends no handed-over event twice that a worker was sending when Redis was wiped', { timeout: 60_000 }, async () => {
  await desk.sql.query('delete from webhooks');
  await Promise.all([desk.worker(), desk.worker()]);
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 450 }] });
  await desk.webhook('customer_added', receiver.url);
  const client = new Redis(redis.url);

  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.all(Array.from({ length: 8 }, () => desk.client().post('/v1/customers', { email: newEmail() })));
    await receiver.received(8 * round);
    await client.flushall();
    await eventually(async () => (await desk.sql.query('select from outbox')).rowCount === 0);
  }
  client.disconnect();

  expect(arrivals([receiver])).toEqual({ events: 8 * ROUNDS, duplicates: 0 });
});
