import type { Redis } from 'ioredis';
import { eventually } from '#test/support/eventually.js';
import { PASSWORD, type RedisHost, type RedisNode, THIS_MACHINE, setUpNodes } from './redis-node.js';

const NODE_TIMEOUT_MS = 1_500;
const SLOTS = 16_384;
const PRIMARIES = 3;

/** First and last slot, and their servers: the primary first. */
type ClusterRange = readonly [number, number, ...(readonly [string, number, ...unknown[]])[]];

/** Six nodes: three primaries that share the slots, and a replica of each. */
export class RedisCluster {
  private constructor(
    readonly nodes: readonly RedisNode[],
    private readonly busPorts: readonly number[],
  ) {}

  /** On this machine, or one on each of six hosts. */
  static async start(
    hosts: readonly RedisHost[] = Array<RedisHost>(2 * PRIMARIES).fill(THIS_MACHINE),
  ): Promise<RedisCluster> {
    // Otherwise the port of the server and 10000 more, where outgoing connections may be.
    const busPorts = await Promise.all(hosts.map((on) => on.port('bus')));
    return setUpNodes(async (start) => {
      const nodes = hosts.map((on, index) => start({ lines: () => linesOf(busPorts[index]!), on }));
      const cluster = new RedisCluster(await Promise.all(nodes), busPorts);
      await cluster.meet();
      await cluster.replicate();
      await cluster.settled();
      return cluster;
    });
  }

  get settings(): Readonly<Record<string, string>> {
    const [first, ...others] = this.nodes.map(({ host, port }) => `${host}:${port}`);
    return { REDIS_URL: `redis://:${PASSWORD}@${[first, ...others].join()}`, REDIS_CLUSTER: 'true' };
  }

  /** The primary of this key, as the others report it. */
  async ownerOf(key: string): Promise<RedisNode> {
    return this.ask(async (redis) => {
      const slot = await redis.cluster('KEYSLOT', key);
      const ranges = await redis.cluster('SLOTS');
      return this.primaryOf(ranges.find(([from, to]) => from <= slot && slot <= to)!);
    });
  }

  /** Moves the slot of a key to another primary, as `redis-cli --cluster reshard` does. */
  async moveSlotOf(key: string): Promise<void> {
    const from = await this.ownerOf(key);
    const ranges = await this.ask((redis) => redis.cluster('SLOTS'));
    const to = ranges.map((range) => this.primaryOf(range)).find((node) => node !== from)!;
    const [source, target] = await Promise.all([from, to].map((node) => node.ask((redis) => redis.cluster('MYID'))));
    const slot = await from.ask((redis) => redis.cluster('KEYSLOT', key));
    await to.ask((redis) => redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(source)));
    await from.ask((redis) => redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(target)));
    await from.ask((redis) => moveKeys(redis, slot, to));
    for (const node of [to, from])
      await node.ask((redis) => redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(target)));
  }

  /** Waits until every slot has a primary and a replica. */
  async settled(): Promise<void> {
    await eventually(() => this.isWhole(), { withinMs: 30_000 });
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) {
      node.thaw();
      await node.stop();
    }
  }

  private primaryOf([, , primary]: ClusterRange): RedisNode {
    return this.nodes.find(({ host, port }) => host === primary?.[0] && port === primary[1])!;
  }

  private async meet(): Promise<void> {
    const [first, ...others] = this.nodes;
    for (const [index, { host, port }] of others.entries())
      await first!.configure((redis) => redis.call('CLUSTER', 'MEET', host, port, this.busPorts[index + 1]!));
    for (const [index, node] of this.nodes.slice(0, PRIMARIES).entries()) {
      const from = Math.ceil((index * SLOTS) / PRIMARIES);
      const to = Math.ceil(((index + 1) * SLOTS) / PRIMARIES) - 1;
      await node.configure((redis) => redis.cluster('ADDSLOTSRANGE', from, to));
    }
  }

  private async replicate(): Promise<void> {
    for (const [index, node] of this.nodes.slice(PRIMARIES).entries()) {
      const id = await this.nodes[index]!.configure((redis) => redis.cluster('MYID'));
      // Retries until the node knows that primary.
      await eventually(() => node.configure((redis) => redis.cluster('REPLICATE', id)), { withinMs: 30_000 });
    }
  }

  private async isWhole(): Promise<boolean> {
    const infos = await Promise.all(this.nodes.map((node) => node.ask((redis) => redis.cluster('INFO'))));
    const slots = await this.ask((redis) => redis.cluster('SLOTS') as Promise<unknown[][]>);
    return infos.every((info) => info.includes('cluster_state:ok')) && slots.every((range) => range.length === 4);
  }

  private ask<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    return Promise.any(this.nodes.map((node) => node.ask(work)));
  }
}

async function moveKeys(from: Redis, slot: number, to: RedisNode): Promise<void> {
  for (;;) {
    const keys = await from.cluster('GETKEYSINSLOT', slot, 100);
    if (keys.length === 0) return;
    await from.call('MIGRATE', to.host, to.port, '', 0, 5_000, 'AUTH', PASSWORD, 'KEYS', ...keys);
  }
}

/** As in docs/machines.md. */
export const CLUSTER_NODE = [
  'cluster-enabled yes',
  `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
  'maxmemory-policy noeviction',
];

const linesOf = (busPort: number): string[] => [
  ...CLUSTER_NODE,
  `cluster-port ${busPort}`,
  `requirepass ${PASSWORD}`,
  `masterauth ${PASSWORD}`,
  'save ""',
  'repl-diskless-sync-delay 0',
];
