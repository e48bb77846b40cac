import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { type Desk, type DeskOptions, startDesk } from '../support/desk.js';
import { eventually } from '../support/eventually.js';
import type { Receiver } from '../support/receiver.js';
import { type PrivateServer, startServer } from '../support/servers.js';
import { arrivals, recordEvents } from './traffic.js';

const COUNT = 1_000;
const IN_TIME = { withinMs: 60_000 };

interface Scene {
  readonly desk: Desk;
  readonly receiver: Receiver;
}

describe('of 1,000 deliveries, all arrive', { timeout: 120_000 }, () => {
  const cleanups: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function scene(options: DeskOptions): Promise<Scene> {
    const desk = await startDesk(options);
    cleanups.push(() => desk.stop());
    const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 20 }] });
    await desk.webhook('customer_added', receiver.url);
    return { desk, receiver };
  }

  async function server(kind: 'postgres' | 'redis'): Promise<PrivateServer> {
    const started = await startServer(kind);
    cleanups.push(() => started.stop());
    return started;
  }

  it.each(['redis', 'postgres'] as const)('when the worker is killed, with the queue on %s', async (queue) => {
    const stage = await scene({ queue, settings: { WORKER_CONCURRENCY: '40' } });
    const first = await stage.desk.worker();
    await midway(stage);

    await first.kill9();
    await stage.desk.worker();

    expect(await allArrive(stage)).toBeLessThanOrEqual(80);
  });

  it('when Redis is wiped', async () => {
    const stage = await scene({ queue: 'redis', redisUrl: (await server('redis')).url });
    await stage.desk.worker();
    await midway(stage);

    const redis = new Redis(stage.desk.settings.REDIS_URL!);
    await redis.flushall();
    redis.disconnect();

    expect(await allArrive(stage)).toBeLessThanOrEqual(COUNT / 100);
  });

  it('when Redis is killed and comes back', async () => {
    const redis = await server('redis');
    const stage = await scene({ queue: 'redis', redisUrl: redis.url });
    await stage.desk.worker();
    await midway(stage);

    await redis.kill9();
    await redis.restart();

    expect(await allArrive(stage)).toBeLessThanOrEqual(COUNT / 100);
  });

  it.each(['redis', 'postgres'] as const)('when PostgreSQL is restarted, with the queue on %s', async (queue) => {
    const postgres = await server('postgres');
    const stage = await scene({ queue, databaseServer: postgres.url });
    await stage.desk.worker();
    await midway(stage);

    await postgres.restart();

    expect(await allArrive(stage)).toBeLessThanOrEqual(COUNT / 100);
  });

  it('when the worker is asked to stop, without a duplicate and with exit code 0', async () => {
    const stage = await scene({});
    const first = await stage.desk.worker();
    await midway(stage);

    const code = await first.stop();
    await stage.desk.worker();

    expect(await allArrive(stage)).toBe(0);
    expect(code).toBe(0);
  });
});

/** Once some have arrived and most have not. */
async function midway({ desk, receiver }: Scene): Promise<void> {
  await recordEvents(desk, COUNT);
  await receiver.received(COUNT / 10, IN_TIME);
}

async function allArrive({ receiver }: Scene): Promise<number> {
  await eventually(() => arrivals([receiver]).events === COUNT, IN_TIME);
  const { duplicates } = arrivals([receiver]);
  process.stdout.write(`${expect.getState().currentTestName}: ${COUNT} arrived, ${duplicates} of them twice\n`);
  return duplicates;
}
