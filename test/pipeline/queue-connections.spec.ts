import { randomUUID } from 'node:crypto';
import { DeliveryQueue } from '#libs/delivery';
import { afterAll, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';

const MANY = 60;

const desk = await startDesk({ queue: 'postgres' });
afterAll(() => desk.stop());

it('holds three connections to PostgreSQL for each queue, however many jobs are added at once', async () => {
  const queue = DeliveryQueue.open(desk.settings, () => undefined);
  const group = {
    leasedUntil: new Date(),
    deliveries: [{ deliveryId: randomUUID(), eventId: randomUUID(), attempts: 0 }],
  };
  await Promise.all(
    Array.from({ length: MANY }, () => [
      queue.addEvents([{ eventId: randomUUID() }]),
      queue.add('bulk', [group]),
    ]).flat(),
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
