import { availableParallelism } from 'node:os';
import type { BenchProcess } from '../bench-process.js';
import { machineBusySeconds } from '../cpu.js';
import { PipelineBench } from './pipeline-bench.js';
import { BenchSetup } from './bench-setup.js';

/** With receivers this slow the machine is idle, and only WORKER_CONCURRENCY limits a worker. */
const SLOW_RECEIVER = { answersAfterMs: 100 };
const LOW_CONCURRENCY = { WORKER_CONCURRENCY: '50' };
const SLOW_COUNT_SHARE = 0.25;

/**
 * The gain of a second worker, and the load of the machine. With receivers that respond at once, one worker may already
 * fill the machine. With slow receivers, it cannot.
 */
export async function measureWorkers(count: number, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    say('receivers that answer at once …');
    const prompt = await measureOneAndTwo(setup, { count });
    say(`receivers that take ${SLOW_RECEIVER.answersAfterMs} ms, ${LOW_CONCURRENCY.WORKER_CONCURRENCY} in hand …`);
    const slow = await measureOneAndTwo(setup, {
      count: count * SLOW_COUNT_SHARE,
      ...SLOW_RECEIVER,
      environment: LOW_CONCURRENCY,
    });
    return { count, cores: availableParallelism(), prompt, slow };
  } finally {
    await setup.close();
  }
}

interface Conditions {
  readonly count: number;
  readonly answersAfterMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

async function measureOneAndTwo(setup: BenchSetup, { count, environment, ...receiving }: Conditions): Promise<object> {
  const receiver = await setup.receiver(receiving);
  const bench = await PipelineBench.prepare(setup, receiver, 20);
  const workers: BenchProcess[] = [];
  const drained: Drained[] = [];
  for (let number = 1; number <= 2; number++) {
    workers.push(setup.worker(environment));
    await bench.drain(2_000);
    drained.push(await busyDuring(() => bench.drain(count)));
  }
  for (const worker of workers) await worker.stop();
  const [one, two] = drained;
  return { one, two, ratio: two!.perSecond / one!.perSecond };
}

interface Drained {
  readonly perSecond: number;
  readonly coresBusy: number;
}

async function busyDuring(drain: () => Promise<{ perSecond: number; seconds: number }>): Promise<Drained> {
  const before = machineBusySeconds();
  const { perSecond, seconds } = await drain();
  return { perSecond, coresBusy: (machineBusySeconds() - before) / seconds };
}
