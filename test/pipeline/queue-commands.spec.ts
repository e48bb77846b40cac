import { randomUUID } from 'node:crypto';
import { DeliveryQueue } from '#libs/delivery';
import { Redis } from 'ioredis';
import { afterAll, expect, it, vi } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { JobIntake } from '../../apps/worker/src/deliveries/attempt/job-intake.js';
import { eventually } from '#test/support/eventually.js';

/** Less than the eight seconds after which an idle worker polls. */
const AT_ONCE_MS = 2_500;

const desk = await startDesk({ queue: 'redis' });
afterAll(() => desk.stop());

it('uses one command each to wait for a single job, take it and end it', async () => {
  const worker = new QueueWorker();
  await worker.add('the first, with which the scripts are loaded');
  await eventually(() => worker.hasEnded(1));

  const commands = countCommands();
  for (const [place, id] of ['one', 'two', 'three'].entries()) {
    await worker.add(id);
    await eventually(() => worker.hasEnded(2 + place));
  }
  commands.stop();
  await worker.close();

  expect(commands.made).toEqual({ waits: 3, takes: 3, ends: 3 });
});

it('overlooks no job, whenever it comes and however many workers take jobs', async () => {
  const workers = [new QueueWorker(), new QueueWorker(), new QueueWorker()];
  const longest = { ms: 0 };
  for (let job = 0; job < 300; job++) {
    await workers[job % workers.length]!.add(randomUUID());
    await turns(job % 7);
    if (job % 10 === 9) await takenAtOnce(workers, job + 1, longest);
  }
  await Promise.all(workers.map((worker) => worker.close()));

  expect(workers.map(({ taken }) => taken).reduce((sum, one) => sum + one)).toBe(300);
  expect(longest.ms).toBeLessThan(AT_ONCE_MS);
});

async function takenAtOnce(workers: readonly QueueWorker[], jobs: number, longest: { ms: number }): Promise<void> {
  const since = performance.now();
  await eventually(() => workers.reduce((sum, { taken }) => sum + taken, 0) === jobs);
  longest.ms = Math.max(longest.ms, performance.now() - since);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Takes express jobs as the worker does, and discards them. */
class QueueWorker {
  taken = 0;
  private readonly queue = DeliveryQueue.open(desk.settings, () => undefined);
  private readonly intake = new JobIntake(this.queue, 'express', {
    perform: () => this.perform(),
    wantsMore: () => true,
  });

  add(deliveryId: string): Promise<void> {
    const deliveries = [{ deliveryId, eventId: deliveryId, attempts: 0 }];
    return this.queue.add('express', [{ leasedUntil: new Date(), deliveries }]);
  }

  async hasEnded(jobs: number): Promise<boolean> {
    return this.taken === jobs && (await this.queue.size()).active === 0;
  }

  async close(): Promise<void> {
    await this.intake.worker.close();
    await this.queue.close();
  }

  private async perform(): Promise<void> {
    this.taken += 1;
    await turns(this.taken % 5);
  }
}

/** Commands of this process from now on. A script of BullMQ is identified by its number of keys. */
function countCommands() {
  const spy = vi.spyOn(Redis.prototype, 'sendCommand');
  const count = (name: string, keys?: number): number =>
    spy.mock.calls.filter(([{ name: sent, args }]) => sent === name && (keys === undefined || args[1] === `${keys}`))
      .length;
  const made = { waits: 0, takes: 0, ends: 0 };
  return {
    made,
    stop: () => {
      Object.assign(made, { waits: count('bzpopmin'), takes: count('evalsha', 11), ends: count('evalsha', 14) });
      spy.mockRestore();
    },
  };
}
