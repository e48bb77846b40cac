import { afterEach, expect, it } from 'vitest';
import { DeliveryQueue } from '#libs/webhooks';
import { startDesk, type DeskOptions } from '../support/desk.js';
import { eventually } from '../support/eventually.js';
import { startServer } from '../support/servers.js';
import { arrivals, recordEvents } from './traffic.js';

/** Longer than a lease, and than a command of Redis waits for its answer. */
const FROZEN_MS = 14_000;

const ARRIVAL_LIMIT = { withinMs: 60_000 };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function scene(kind: 'postgres' | 'redis', queue: DeskOptions['queue'], afterMs: number) {
  const server = await startServer(kind);
  cleanups.push(() => server.stop());
  const own = kind === 'redis' ? { redisUrl: server.url } : { databaseServer: server.url };
  const desk = await startDesk({ queue: queue!, ...own });
  cleanups.push(() => desk.stop());
  const receiver = await desk.receiver({ replies: [{ status: 204, afterMs }] });
  await desk.webhook('customer_added', receiver.url);
  await desk.worker();
  return { server, desk, receiver };
}

it('sends nothing twice after Redis was frozen during a burst', { timeout: 120_000 }, async () => {
  const { server, desk, receiver } = await scene('redis', 'redis', 20);
  await recordEvents(desk, 100);
  await receiver.received(100, ARRIVAL_LIMIT);
  const frozen = server.pause(FROZEN_MS);
  await recordEvents(desk, 600);
  await frozen;
  await eventually(() => arrivals([receiver]).events === 700, ARRIVAL_LIMIT);
  await settled(desk);

  expect(arrivals([receiver])).toEqual({ events: 700, duplicates: 0 });
});

it.each([20, 1_500])(
  'sends nothing twice after PostgreSQL was frozen, to a receiver that answers after %s ms',
  { timeout: 120_000 },
  async (afterMs) => {
    const { server, desk, receiver } = await scene('postgres', 'redis', afterMs);
    await recordEvents(desk, 300);
    await receiver.received(20, ARRIVAL_LIMIT);
    await server.pause(FROZEN_MS);
    await eventually(() => arrivals([receiver]).events === 300, ARRIVAL_LIMIT);
    await settled(desk);

    expect(arrivals([receiver])).toEqual({ events: 300, duplicates: 0 });
  },
);

it('leaves no job active that ended while PostgreSQL was away', { timeout: 120_000 }, async () => {
  const { server, desk, receiver } = await scene('postgres', 'postgres', 400);
  const queue = DeliveryQueue.open(desk.settings, () => undefined);
  cleanups.push(() => queue.close());
  await recordEvents(desk, 4, 1);
  await receiver.received(1, ARRIVAL_LIMIT);
  await server.restart();

  await eventually(() => arrivals([receiver]).events === 4, ARRIVAL_LIMIT);
  await eventually(async () => (await queue.size()).active === 0, { withinMs: 9_000 });
  expect(arrivals([receiver]).events).toBe(4);
});

/** A delivery that is sent again is owed until then. */
async function settled(desk: Awaited<ReturnType<typeof startDesk>>): Promise<void> {
  await eventually(
    async () => (await desk.sql.query('select from owed_deliveries union all select from outbox')).rowCount === 0,
    ARRIVAL_LIMIT,
  );
}
