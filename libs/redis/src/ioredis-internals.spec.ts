import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { endOldSocketTimeout } from './ioredis-internals.js';

const url = process.env['REDIS_URL'];

it.skipIf(!url)('ends the timer of the installed version of ioredis when a connection closes', async () => {
  const redis = new Redis(url!, { socketTimeout: 60_000, lazyConnect: true });
  endOldSocketTimeout(redis);
  await redis.connect();
  const timer = () => (redis as unknown as { socketTimeoutTimer: unknown }).socketTimeoutTimer;
  redis.blpop('ioredis-internals', 0).catch(() => undefined);
  const isRunning = timer() !== undefined;
  const closed = new Promise((resolve) => redis.once('close', resolve));
  redis.disconnect();
  await closed;

  expect([isRunning, timer()]).toEqual([true, undefined]);
});
