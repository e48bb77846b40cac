import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type Server, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { DeliveryQueue } from '#libs/webhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';

const MANY = 60;

let desk: Desk;
let silent: Server;

beforeAll(async () => {
  desk = await startDesk({ queue: 'postgres' });
  silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  silent.close();
  await desk.stop();
});

it('gives up after five seconds when Redis accepts the connection and never answers', { timeout: 20_000 }, async () => {
  const { port } = silent.address() as AddressInfo;
  const settings = { ...desk.settings, REDIS_URL: `redis://127.0.0.1:${port}` };
  const queue = DeliveryQueue.open(settings, () => undefined);
  const startedAt = performance.now();
  await expect(queue.generation()).rejects.toThrow('Connection is closed');
  const ms = performance.now() - startedAt;
  await queue.close();

  expect(ms).toBeGreaterThan(4_900);
  expect(ms).toBeLessThan(9_000);
});

it('holds three connections to PostgreSQL for each queue, however many jobs are added at once', async () => {
  const queue = DeliveryQueue.open(desk.settings, () => undefined);
  const group = {
    leasedUntil: new Date(),
    deliveries: [{ deliveryId: randomUUID(), eventId: randomUUID(), attempts: 0 }],
  };
  await Promise.all(
    Array.from({ length: MANY }, () => [queue.addEvents([randomUUID()]), queue.add('bulk', [group])]).flat(),
  );
  const { rows } = await desk.sql.query(
    `select count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name = 'deskwire-queue'`,
  );
  const size = await queue.size();
  await queue.close();

  expect(rows).toEqual([{ connections: 2 * 3 }]);
  expect(size).toMatchObject({ express: MANY, bulk: 1 });
});
