// @module-tag long
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { RedisCluster } from './support/redis-cluster.js';
import { RedisNode, THIS_MACHINE, type RedisHost } from './support/redis-node.js';

/** Longer than a query waits for its connection. */
const BUSY_MS = 2_500;

it('configures a server from a process that is busy for seconds', async () => {
  const node = await RedisNode.start({ lines: () => ['requirepass of-the-servers', 'save ""'] });
  const answer = node.configure((redis) => redis.ping());
  // By then it connects.
  for (let tick = 0; tick < 5; tick++) await new Promise<void>((resolve) => process.nextTick(resolve));
  blockEventLoop();

  expect(await answer).toBe('PONG');
  await node.stop();
});

it('stops the servers of a set-up that fails', async () => {
  const started: ChildProcess[] = [];
  const whole: RedisHost = {
    ...THIS_MACHINE,
    async prepare(lines, kind) {
      const prepared = await THIS_MACHINE.prepare(lines, kind);
      const running = prepared.run();
      started.push(running);
      return { run: () => running, remove: () => prepared.remove() };
    },
  };
  const broken: RedisHost = {
    ...THIS_MACHINE,
    port: (kind) => (kind === 'bus' ? THIS_MACHINE.port(kind) : Promise.reject(new Error('no port'))),
  };

  await expect(RedisCluster.start([broken, whole, whole, whole, whole, whole])).rejects.toThrow('no port');
  expect(started.map(({ signalCode }) => signalCode)).toEqual(started.map(() => 'SIGKILL'));
  expect(started).toHaveLength(5);
});

it('sets a Cluster up while outgoing connections use ports', async () => {
  const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
  const taken = ports.map((port) => createServer().listen(port + 10_000, '127.0.0.1'));
  const hosts = ports.map((port): RedisHost => ({
    ...THIS_MACHINE,
    port: (kind) => (kind === 'server' ? Promise.resolve(port) : THIS_MACHINE.port(kind)),
  }));

  const cluster = await RedisCluster.start(hosts);

  expect(cluster.nodes.map(({ port }) => port)).toEqual(ports);
  await cluster.stop();
  for (const server of taken) server.close();
});

function blockEventLoop(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
}
