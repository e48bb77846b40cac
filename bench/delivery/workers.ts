import { availableParallelism } from 'node:os';
import type { Child } from '../child.js';
import { machineBusySeconds } from '../cpu.js';
import { PipelineBench } from '../pipeline.js';
import { Scene } from './scene.js';

/** Receivers that take this long leave the machine idle, so that it is only their number in hand that bounds a worker. */
const SLOW_RECEIVER = { answersAfterMs: 100 };
const FEW_IN_HAND = { WORKER_CONCURRENCY: '50' };
const SLOW_SHARE = 0.25;

/**
 * What a second worker process adds, and how busy the machine was: once with receivers that answer at once, where one
 * worker may fill it and there is nothing to add, and once with receivers that take their time.
 */
export async function measureWorkers(count: number, say: (line: string) => void): Promise<object> {
  const scene = await Scene.open();
  try {
    say('receivers that answer at once …');
    const prompt = await oneAndTwo(scene, { count });
    say(`receivers that take ${SLOW_RECEIVER.answersAfterMs} ms, ${FEW_IN_HAND.WORKER_CONCURRENCY} in hand …`);
    const slow = await oneAndTwo(scene, { count: count * SLOW_SHARE, ...SLOW_RECEIVER, environment: FEW_IN_HAND });
    return { count, cores: availableParallelism(), prompt, slow };
  } finally {
    await scene.close();
  }
}

interface Conditions {
  readonly count: number;
  readonly answersAfterMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

async function oneAndTwo(scene: Scene, { count, environment, ...receiving }: Conditions): Promise<object> {
  const receiver = await scene.receiver(receiving);
  const bench = await PipelineBench.prepare(scene.sql, scene.settings, { receiver: receiver.url, webhooks: 20 });
  const workers: Child[] = [];
  const drained: Drained[] = [];
  for (let number = 1; number <= 2; number++) {
    workers.push(scene.worker(environment));
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
