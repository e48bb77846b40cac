import type { BullWorker } from '#libs/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JobIntake } from './job-intake.js';

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
  new JobIntake(worker as unknown as BullWorker, wantsMore);

describe('the intake of jobs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('lets BullMQ fetch one job more than are being done, so that none waits for the next to be fetched', async () => {
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

  it('makes BullMQ look again when more is wanted while all of its jobs still run', async () => {
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
