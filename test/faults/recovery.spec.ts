// @module-tag long
import { expect, it, onTestFinished } from 'vitest';
import type { AppProcess } from '#test/support/app-process.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { sendToRedis } from './campaign/server-faults.js';
import { arrivals, recordEvents } from './traffic.js';

const COUNT = 1_000;
const ARRIVAL_LIMIT = { withinMs: 60_000 };
const A_FEW = COUNT / 100;

interface Struck {
  readonly desk: Desk;
  readonly worker: AppProcess;
  readonly redis: PrivateServer;
  readonly postgres: PrivateServer;
}

async function killWorker({ worker, desk }: Struck): Promise<unknown> {
  await worker.kill9();
  return desk.worker();
}

async function stopWorker({ worker, desk }: Struck): Promise<unknown> {
  expect(await worker.stop()).toBe(0);
  return desk.worker();
}

async function killRedis({ redis }: Struck): Promise<unknown> {
  await redis.kill9();
  return redis.restart();
}

const wipeRedis = ({ redis }: Struck): Promise<unknown> => sendToRedis(redis.url, ['flushall']);

const restartPostgres = ({ postgres }: Struck): Promise<unknown> => postgres.restart();

it.each([
  ['a worker is killed', 'redis', killWorker, 80],
  ['a worker is killed', 'postgres', killWorker, 80],
  ['a worker is stopped, with exit code 0', 'redis', stopWorker, 0],
  ['Redis is wiped', 'redis', wipeRedis, A_FEW],
  ['Redis is killed and comes back', 'redis', killRedis, A_FEW],
  ['PostgreSQL is restarted', 'redis', restartPostgres, A_FEW],
  ['PostgreSQL is restarted', 'postgres', restartPostgres, A_FEW],
] as const)(
  'delivers 1,000 events when %s, with the queue on %s',
  { timeout: 120_000 },
  async (_fault, queue, strike, most) => {
    const [postgres, redis] = await Promise.all([startServer('postgres'), startServer('redis')]);
    onTestFinished(() => Promise.all([postgres.stop(), redis.stop()]).then(() => undefined));
    const settings = { WORKER_CONCURRENCY: '40' };
    const desk = await startDesk({ queue, databaseServer: postgres.url, redisUrl: redis.url, settings });
    onTestFinished(() => desk.stop());
    const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 20 }] });
    await desk.webhook('customer_added', receiver.url);
    const worker = await desk.worker();
    await recordEvents(desk, COUNT);
    // Some have arrived then, and most have not.
    await receiver.received(COUNT / 10, ARRIVAL_LIMIT);

    await strike({ desk, worker, redis, postgres });

    await eventually(() => arrivals([receiver]).events === COUNT, ARRIVAL_LIMIT);
    const { duplicates } = arrivals([receiver]);
    process.stdout.write(`${expect.getState().currentTestName}: ${COUNT} arrived, ${duplicates} of them twice\n`);
    expect(duplicates).toBeLessThanOrEqual(most);
  },
);
