import { availableParallelism } from 'node:os';
import { machineBusySeconds } from '../cpu.js';
import { PipelineBench } from '../pipeline.js';
import { Scene } from './scene.js';

/** What a second worker process adds, and how busy the machine was: where one fills it, there is nothing to add. */
export async function measureWorkers(count: number, say: (line: string) => void): Promise<object> {
  const scene = await Scene.open();
  try {
    const receiver = await scene.receiver();
    const bench = await PipelineBench.prepare(scene.sql, scene.settings, { receiver: receiver.url, webhooks: 20 });
    scene.worker();
    await bench.drain(2_000);
    say('one worker …');
    const one = await busyDuring(() => bench.drain(count));
    scene.worker();
    await bench.drain(2_000);
    say('two workers …');
    const two = await busyDuring(() => bench.drain(count));
    return { count, cores: availableParallelism(), one, two, ratio: two.perSecond / one.perSecond };
  } finally {
    await scene.close();
  }
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
