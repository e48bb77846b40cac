import type { QueueKind } from '#libs/delivery';
import type { Settings } from '#libs/settings';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LiveWorkersService } from '../../live-workers.service.js';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { DeliveryProcessor } from './delivery.processor.js';

/** As far as the intake knows a worker of BullMQ. */
class FakeWorker {
  concurrency = 1;
  readonly calls: string[] = [];
  constructor(
    readonly kind: QueueKind,
    readonly perform: (job: unknown) => Promise<void>,
  ) {}
  resume(): void {
    this.calls.push('resume');
  }
  async pause(doNotWait: boolean): Promise<void> {
    this.calls.push(`pause ${doNotWait}`);
  }
  async close(force: boolean): Promise<void> {
    this.calls.push(`close ${force}`);
  }
}

let workers: FakeWorker[];
let live: LiveWorkersService;
let runs: unknown[][];
let isIdle: boolean;
let processor: DeliveryProcessor;
let slots: DeliverySlotLimiter;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  workers = [];
  runs = [];
  isIdle = true;
  live = new LiveWorkersService();
  slots = new DeliverySlotLimiter({ WORKER_CONCURRENCY: 3 });
  processor = new DeliveryProcessor(
    {
      startWorker: (kind: QueueKind, perform: (job: unknown) => Promise<void>) => {
        const worker = new FakeWorker(kind, perform);
        workers.push(worker);
        return worker;
      },
      noteWorker: async () => undefined,
    } as never,
    {
      run: async (...call: unknown[]) => void runs.push(call),
      drain: async (withinMs: number) => (runs.push(['drain', withinMs]), isIdle),
    } as never,
    slots,
    live,
    { WORKER_CONCURRENCY: 3, SHUTDOWN_GRACE_MS: 8_000 } as Settings,
  );
});
afterEach(() => void vi.useRealTimers());

function permit(mayWork: boolean): void {
  live.mayWork = mayWork;
  processor.heartbeat();
}

function start(): void {
  permit(true);
  processor.start();
}

const calls = () => workers.map((worker) => worker.calls.splice(0));

it('starts a worker for each queue once the clock is known, and pauses them while it is off', () => {
  processor.start();
  expect(workers).toEqual([]);

  permit(true);
  expect(workers.map(({ kind }) => kind)).toEqual(['express', 'bulk']);
  expect(calls()).toEqual([[], []]);
  permit(false);
  expect(calls()).toEqual([['pause true'], ['pause true']]);
  permit(true);
  expect(calls()).toEqual([['resume'], ['resume']]);
  expect(workers).toHaveLength(2);
});

it('starts its workers at once when the clock is known before', () => {
  start();

  expect(workers).toHaveLength(2);
});

it('runs a job with the kind of its queue', async () => {
  start();
  await workers[1]!.perform('job');

  expect(runs).toEqual([['job', 'bulk']]);
});

it('takes one job more than are running, while it may work, for express up to the concurrency', () => {
  start();
  const express = workers[0]!;
  const wants = [1, 2, 3, 4].map(() => {
    void express.perform('job');
    return express.concurrency;
  });

  expect(wants).toEqual([2, 3, 3, 4]);
});

it.each([
  ['closes its workers when all attempts have ended', true, 'close false'],
  ['closes its workers by force when attempts have not ended', false, 'close true'],
])('%s', async (_name, idle, close) => {
  isIdle = idle;
  start();
  await processor.stop();

  expect(runs).toEqual([['drain', 8_000]]);
  expect(calls()).toEqual([
    ['pause true', close],
    ['pause true', close],
  ]);
});

it('takes no more bulk while some waits for a slot', () => {
  start();
  const bulk = workers[1]!;
  void bulk.perform('job');
  expect(bulk.concurrency).toBe(2);
  for (let one = 0; one < 4; one++) void slots.acquire('bulk');
  void bulk.perform('job');

  expect(bulk.concurrency).toBe(2);
});

it('takes no more jobs while the clock is off', () => {
  start();
  permit(false);
  for (const worker of workers) void worker.perform('job');

  expect(workers.map(({ concurrency }) => concurrency)).toEqual([1, 1]);
});

it('checks ten times a second whether a queue that was held back may continue', async () => {
  start();
  permit(false);
  const running = workers[0]!.perform('job');
  workers[0]!.concurrency = 0;
  permit(true);
  calls();
  vi.advanceTimersByTime(99);
  expect(calls()).toEqual([[], []]);
  vi.advanceTimersByTime(1);
  await running;

  expect(calls()[0]).toEqual(['pause true', 'resume']);
});

it('has no timers while no job runs', async () => {
  start();
  const idle = vi.getTimerCount();
  const running = workers.map((worker) => worker.perform('job'));
  const busy = vi.getTimerCount();
  await Promise.all(running);

  expect([busy, vi.getTimerCount()]).toEqual([idle + 2, idle]);
  expect(workers.map(({ concurrency }) => concurrency)).toEqual([1, 1]);
});
