import { PipelineBench } from '../pipeline.js';
import { Scene } from './scene.js';

/** What a second worker process adds. */
export async function measureWorkers(count: number, say: (line: string) => void): Promise<object> {
  const scene = await Scene.open();
  try {
    const receiver = await scene.receiver();
    const bench = await PipelineBench.prepare(scene.sql, scene.settings, { receiver: receiver.url, webhooks: 20 });
    scene.worker();
    await bench.drain(2_000);
    say('one worker …');
    const one = await bench.drain(count);
    scene.worker();
    await bench.drain(2_000);
    say('two workers …');
    const two = await bench.drain(count);
    return { count, one: one.perSecond, two: two.perSecond, ratio: two.perSecond / one.perSecond };
  } finally {
    await scene.close();
  }
}
