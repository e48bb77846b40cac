import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

/** Baseline (b): no-op jobs through BullMQ on the same Redis. */
const [url = '', countText = '20000', concurrencyText = '100'] = process.argv.slice(2);
const count = Number(countText);
const connection = () => new Redis(url, { maxRetriesPerRequest: null });
const name = `bench-${randomUUID()}`;
const producer = connection();
const consumer = connection();
const queue = new Queue(name, { connection: producer });

for (let at = 0; at < count; at += 1000)
  await queue.addBulk(
    Array.from({ length: Math.min(1000, count - at) }, () => ({
      name: 'noop',
      data: {},
      opts: { jobId: randomUUID(), removeOnComplete: true, removeOnFail: true },
    })),
  );

let done = 0;
const cpu = process.cpuUsage();
const started = performance.now();
const worker = new Worker(name, async () => undefined, { connection: consumer, concurrency: Number(concurrencyText) });
await new Promise<void>((resolve) => {
  worker.on('completed', () => {
    done += 1;
    if (done === count) resolve();
  });
});
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(`${JSON.stringify({ perSecond: count / seconds, cpuMs: (user + system) / 1000 / count })}\n`);
await worker.close();
await queue.obliterate({ force: true });
await queue.close();
producer.disconnect();
consumer.disconnect();
