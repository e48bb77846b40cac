import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { DeliveryQueue } from '#libs/delivery';
import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const desk = await startDesk({ queue: 'redis' });
const queue = DeliveryQueue.open(desk.settings, () => undefined);
const redis = new Redis(desk.settings.REDIS_URL!);
afterAll(async () => {
  redis.disconnect();
  await queue.close();
  await desk.stop();
});

const jobKey = (id: string): string => `{${desk.settings.QUEUE_PREFIX}}:express:${id}`;

it('finds events without a job, and those whose worker no longer renews the lock', async () => {
  const [missing, waiting, taken, abandoned] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const ending = new AbortController();
  const started: string[] = [];
  await eventually(() => queue.isReady);
  const worker = queue.startWorker('express', async (job) => {
    started.push('eventId' in job ? job.eventId : '');
    worker.concurrency = 2;
    await once(ending.signal, 'abort');
  });
  await queue.addEvents([{ eventId: taken }, { eventId: abandoned }]);
  await eventually(() => started.length === 2);
  await worker.pause(true);
  await queue.addEvents([{ eventId: waiting }]);
  await redis.del(`${jobKey(abandoned)}:lock`);

  const found = await queue.findStranded([missing, waiting, taken, abandoned]);
  ending.abort();
  await worker.close();

  expect(found).toEqual({ missing: [missing], abandoned: [abandoned] });
});
