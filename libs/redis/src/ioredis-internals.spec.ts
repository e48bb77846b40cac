import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { dropTimedOutCommands, endOldSocketTimeout } from './ioredis-internals.js';

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

it.skipIf(!url)('sends no command after it has timed out', async () => {
  const { port: serverPort, hostname, password, username } = new URL(url!);
  const way = createServer((socket) => {
    const server = connect(Number(serverPort), hostname);
    socket.pipe(server).pipe(socket);
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  const { port } = way.address() as AddressInfo;
  way.close();
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    username,
    password,
    commandTimeout: 300,
    maxRetriesPerRequest: null,
    retryStrategy: () => 20,
  });
  redis.on('error', () => undefined);
  dropTimedOutCommands(redis);
  const key = `ioredis-internals-${port}`;
  await expect(redis.append(key, 'late')).rejects.toThrow('Command timed out');
  const inTime = redis.append(key, 'in time');
  way.listen(port, '127.0.0.1');
  await inTime;

  expect(await redis.get(key)).toBe('in time');
  await redis.del(key);
  redis.disconnect();
  way.close();
});
