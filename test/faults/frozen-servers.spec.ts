// @module-tag long
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { freezeDatabase } from '#test/support/freeze-database.js';
import { startServer } from '#test/support/servers.js';
import { arrivals, recordEvents } from './traffic.js';

/** Longer than a lease, and than a command of Redis waits for its response. */
const FROZEN_MS = 14_000;

const ARRIVAL_LIMIT = { withinMs: 90_000 };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function scene(kind: 'postgres' | 'redis', afterMs: number) {
  const server = await startServer(kind);
  cleanups.push(() => server.stop());
  const own = kind === 'redis' ? { redisUrl: server.url } : { databaseServer: server.url };
  const desk = await startDesk({ queue: 'redis', ...own });
  cleanups.push(() => desk.stop());
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs }] });
  await desk.webhook('customer_added', receiver.url);
  await desk.worker();
  return { server, desk, receiver };
}

it('sends nothing twice after Redis was frozen during a burst', { timeout: 120_000 }, async () => {
  const { server, desk, receiver } = await scene('redis', 20);
  const recorded = recordEvents(desk, 2_000);
  await receiver.received(200, ARRIVAL_LIMIT);
  await server.pause(FROZEN_MS);
  await recorded;
  await eventually(() => arrivals([receiver]).events === 2_000, ARRIVAL_LIMIT);
  await settled(desk);

  expect(arrivals([receiver])).toEqual({ events: 2_000, duplicates: 0 });
});

it('sends nothing twice after PostgreSQL was frozen while slow attempts ran', { timeout: 120_000 }, async () => {
  const { server, desk, receiver } = await scene('postgres', 1_500);
  await recordEvents(desk, 100, 1);
  await receiver.received(20, ARRIVAL_LIMIT);
  await freezeDatabase({ sql: desk.sql, server }, FROZEN_MS);
  await eventually(() => arrivals([receiver]).events === 100, ARRIVAL_LIMIT);
  await settled(desk);

  expect(arrivals([receiver])).toEqual({ events: 100, duplicates: 0 });
});

it('sends an event once whose first result waits for PostgreSQL longer than a lease', { timeout: 60_000 }, async () => {
  const { desk, receiver, locker } = await lockedScene('delivery_counts');
  await recordEvents(desk, 1);
  await receiver.received(1);
  await eventually(() => hasWaited(desk, '10 seconds'), { withinMs: 20_000 });
  await locker.query('rollback');
  await settled(desk);

  expect(arrivals([receiver])).toEqual({ events: 1, duplicates: 0 });
});

/** With an attempt whose result waits for a lock. */
async function lockedScene(table: string) {
  const desk = await startDesk({ queue: 'redis' });
  cleanups.push(() => desk.stop());
  const locker = new Client({ connectionString: desk.settings.DATABASE_URL });
  await locker.connect();
  cleanups.push(() => locker.end());
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 300 }] });
  await desk.webhook('customer_added', receiver.url);
  await desk.worker();
  await locker.query(`begin; lock table ${table} in exclusive mode`);
  return { desk, locker, receiver };
}

const WAITING = `where datname = current_database() and wait_event_type = 'Lock'
  and application_name = 'deskwire-worker' and clock_timestamp() - query_start > $1::interval`;

const hasWaited = async (desk: Desk, interval: string): Promise<boolean> =>
  (await desk.sql.query(`select from pg_stat_activity ${WAITING}`, [interval])).rowCount! > 0;

/** A delivery that is sent again is owed until then. */
async function settled(desk: Desk): Promise<void> {
  await eventually(
    async () => (await desk.sql.query('select from owed_deliveries union all select from outbox')).rowCount === 0,
    ARRIVAL_LIMIT,
  );
}
