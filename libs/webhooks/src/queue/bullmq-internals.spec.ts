import { readFileSync } from 'node:fs';
import { createPostgresBackend, RedisQueueBackend } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BullWorker, JobIntake, resilientBackend } from './bullmq-internals.js';

const installed = (file: string): string => readFileSync(`node_modules/bullmq/${file}`, 'utf8');

describe('the installed BullMQ', () => {
  it('has the version whose private parts are used', () => {
    expect(JSON.parse(installed('package.json'))).toMatchObject({ version: '6.7.0' });
  });

  it('takes a job by the script and the keys that the sparing backend wraps', () => {
    const script = installed('dist/esm/commands/moveToActive-11.lua');

    for (const key of ['KEYS[1] wait key', 'KEYS[3] prioritized key', 'KEYS[11] marker key'])
      expect(script).toContain(key);
    expect(RedisQueueBackend.prototype).toHaveProperty('waitForJob');
    expect(RedisQueueBackend.prototype.execCommand.toString()).toMatch(/client\.runCommand\(\w+, args\)/);
  });

  it('remembers a failed start on PostgreSQL, unlike the resilient backend', async () => {
    const config = { connection: { host: '127.0.0.1', port: 1, user: 'nobody', database: 'nothing' } };
    const [plain, resilient] = [createPostgresBackend('try', config), resilientBackend('try', config)];
    for (const { connection } of [plain, resilient])
      await expect(connection.waitUntilReady()).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    expect(plain.connection).toMatchObject({ readyPromise: expect.any(Promise), pgModule: expect.anything() });
    expect(resilient.connection).toMatchObject({ readyPromise: undefined });
  });
});

/** Runs until `end` is called. */
class Job {
  end = (): void => undefined;
  private readonly done = new Promise<void>((resolve) => (this.end = resolve));
  readonly work = (): Promise<void> => this.done;
}

/** The part of BullMQ's worker that the intake uses. */
class Bull {
  concurrency = 1;
  looks = 0;
  async pause(): Promise<void> {
    this.looks += 1;
  }
  resume(): void {
    this.looks += 1;
  }
}

const intakeOf = (worker: Bull, wantsMore: (jobs: number) => boolean): JobIntake =>
  new JobIntake(worker as unknown as BullWorker, { wantsMore, checkIntervalMs: 100 });

describe('JobIntake', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('lets BullMQ fetch one job more than are running, so that none waits for the next to be fetched', async () => {
    const worker = new Bull();
    const intake = intakeOf(worker, (jobs) => jobs < 2);
    const [first, second] = [new Job(), new Job()];

    const one = intake.run(first.work);
    expect(worker.concurrency).toBe(2);
    const two = intake.run(second.work);
    expect(worker.concurrency).toBe(2);
    first.end();
    await one;
    expect(worker.concurrency).toBe(2);
    second.end();
    await two;
    expect(worker.concurrency).toBe(1);
    intake.stop();
  });

  it('makes BullMQ read its concurrency when more is requested while all of its jobs run', async () => {
    const worker = new Bull();
    let isWanted = false;
    const intake = intakeOf(worker, () => isWanted);
    void intake.run(new Job().work);
    await vi.advanceTimersByTimeAsync(500);
    expect(worker.looks).toBe(0);

    isWanted = true;
    await vi.advanceTimersByTimeAsync(100);

    expect(worker.concurrency).toBe(2);
    expect(worker.looks).toBe(2);
    intake.stop();
  });
});
