// @module-tag long
import { expect, it, onTestFinished } from 'vitest';
import { withClient } from '#test/support/database.js';
import { type Desk, type DeskOptions, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { freezeDatabase } from '#test/support/freeze-database.js';
import { startServer } from '#test/support/servers.js';
import { arrivals, recordEvents } from './traffic.js';

/** Longer than a lease, and than a command of Redis waits for its response. */
const FROZEN_MS = 14_000;

const ARRIVAL_LIMIT = { withinMs: 90_000 };

async function scene(kind: 'postgres' | 'redis', afterMs: number) {
  const server = await startServer(kind);
  onTestFinished(() => server.stop());
  const own = kind === 'redis' ? { redisUrl: server.url } : { databaseServer: server.url };
  return { server, ...(await subscribedDesk(afterMs, own)) };
}

async function subscribedDesk(afterMs: number, own: DeskOptions = {}) {
  const desk = await startDesk({ queue: 'redis', ...own });
  onTestFinished(() => desk.stop());
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs }] });
  await desk.webhook('customer_added', receiver.url);
  await desk.worker();
  return { desk, receiver };
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
  const { desk, receiver } = await subscribedDesk(300);
  await withClient(desk.settings.DATABASE_URL, async (locker) => {
    await locker.query('begin; lock table delivery_counts in exclusive mode');
    await recordEvents(desk, 1);
    await receiver.received(1);
    await eventually(() => hasWaited(desk, '10 seconds'), { withinMs: 20_000 });
  });
  await settled(desk);

  expect(arrivals([receiver])).toEqual({ events: 1, duplicates: 0 });
});

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
