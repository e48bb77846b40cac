// @module-tag long
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { sendToRedis } from './campaign/server-faults.js';
import { arrivals, recordEvents } from './traffic.js';

/** Whether the relay looks in the half second of an attempt is chance. */
const ROUNDS = 5;

let redis: PrivateServer;
let desk: Desk;
beforeAll(async () => {
  redis = await startServer('redis');
  desk = await startDesk({ queue: 'redis', redisUrl: redis.url });
  await Promise.all([desk.worker(), desk.worker()]);
});
beforeEach(() => desk.sql.query('delete from webhooks'));
afterAll(async () => {
  await desk.stop();
  await redis.stop();
});

const count = async (query: string): Promise<number> => (await desk.sql.query(`select from ${query}`)).rowCount!;

it('sends nothing twice that either of two workers was sending when Redis was wiped', { timeout: 60_000 }, async () => {
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 9_000 }] });
  await desk.webhook('customer_added', receiver.url);
  await recordEvents(desk, 8, 1);
  await receiver.received(8);
  await eventually(async () => (await count('owed_deliveries where queued')) === 8);
  await sendToRedis(redis.url, ['flushall']);

  await eventually(async () => (await count('owed_deliveries')) === 0, { withinMs: 30_000 });

  expect(arrivals([receiver])).toEqual({ events: 8, duplicates: 0 });
});

it('sends no handed-over event twice that a worker was sending when Redis was wiped', { timeout: 60_000 }, async () => {
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 450 }] });
  await desk.webhook('customer_added', receiver.url);

  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.all(Array.from({ length: 8 }, () => desk.client().post('/v1/customers', { email: newEmail() })));
    await receiver.received(8 * round);
    await sendToRedis(redis.url, ['flushall']);
    await eventually(async () => (await count('outbox')) === 0);
  }

  expect(arrivals([receiver])).toEqual({ events: 8 * ROUNDS, duplicates: 0 });
});
