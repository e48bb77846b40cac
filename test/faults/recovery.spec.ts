// @module-tag long
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { type Desk, type DeskOptions, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';
import { arrivals, recordEvents } from './traffic.js';

const COUNT = 1_000;
const ARRIVAL_LIMIT = { withinMs: 60_000 };

interface RecoverySetup {
  readonly desk: Desk;
  readonly receiver: Receiver;
}

describe('the delivery of 1,000 events', { timeout: 120_000 }, () => {
  const cleanups: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function scene(options: DeskOptions): Promise<RecoverySetup> {
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

  it.each(['redis', 'postgres'] as const)(
    'completes when the worker is killed, with the queue on %s',
    async (queue) => {
      const fixture = await scene({ queue, settings: { WORKER_CONCURRENCY: '40' } });
      const first = await fixture.desk.worker();
      await untilMidway(fixture);

      await first.kill9();
      await fixture.desk.worker();

      expect(await allArrive(fixture)).toBeLessThanOrEqual(80);
    },
  );

  it('completes when Redis is wiped', async () => {
    const fixture = await scene({ queue: 'redis', redisUrl: (await server('redis')).url });
    await fixture.desk.worker();
    await untilMidway(fixture);

    const redis = new Redis(fixture.desk.settings.REDIS_URL!);
    await redis.flushall();
    redis.disconnect();

    expect(await allArrive(fixture)).toBeLessThanOrEqual(COUNT / 100);
  });

  it('completes when Redis is killed and comes back', async () => {
    const redis = await server('redis');
    const fixture = await scene({ queue: 'redis', redisUrl: redis.url });
    await fixture.desk.worker();
    await untilMidway(fixture);

    await redis.kill9();
    await redis.restart();

    expect(await allArrive(fixture)).toBeLessThanOrEqual(COUNT / 100);
  });

  it.each(['redis', 'postgres'] as const)(
    'completes when PostgreSQL is restarted, with the queue on %s',
    async (queue) => {
      const postgres = await server('postgres');
      const fixture = await scene({ queue, databaseServer: postgres.url });
      await fixture.desk.worker();
      await untilMidway(fixture);

      await postgres.restart();

      expect(await allArrive(fixture)).toBeLessThanOrEqual(COUNT / 100);
    },
  );

  it('completes when the worker is stopped, without a duplicate and with exit code 0', async () => {
    const fixture = await scene({});
    const first = await fixture.desk.worker();
    await untilMidway(fixture);

    const code = await first.stop();
    await fixture.desk.worker();

    expect(await allArrive(fixture)).toBe(0);
    expect(code).toBe(0);
  });
});

/** Waits until some have arrived and most have not. */
async function untilMidway({ desk, receiver }: RecoverySetup): Promise<void> {
  await recordEvents(desk, COUNT);
  await receiver.received(COUNT / 10, ARRIVAL_LIMIT);
}

async function allArrive({ receiver }: RecoverySetup): Promise<number> {
  await eventually(() => arrivals([receiver]).events === COUNT, ARRIVAL_LIMIT);
  const { duplicates } = arrivals([receiver]);
  process.stdout.write(`${expect.getState().currentTestName}: ${COUNT} arrived, ${duplicates} of them twice\n`);
  return duplicates;
}
