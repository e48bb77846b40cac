import path from 'node:path';
import { RedisCluster } from '../support/redis-cluster.js';
import type { RedisNode } from '../support/redis-node.js';
import { Sentinels } from '../support/sentinels.js';
import { Balancer } from './balancer.js';
import { debianSystem } from './debian-system.js';
import { Hosts } from './hosts.js';
import { PostgresPair } from './postgres-pair.js';
import { HostedApp, productEnvironment, runOperatorCommand } from './product.js';
import { redisOn } from './redis-on-host.js';

/** The primary with this key has the queue. */
export const QUEUE_KEY = '{deskwire}:workers';

const WORKERS = 4;
const APIS = 2;

export const REDIS_KINDS = ['sentinel', 'cluster'] as const;
export type RedisKind = (typeof REDIS_KINDS)[number];

const REDIS_HOSTS: Readonly<Record<RedisKind, number>> = { sentinel: 3, cluster: 6 };

export interface RedisPlace {
  readonly settings: Readonly<Record<string, string>>;
  ownerOf(key: string): Promise<RedisNode>;
  moveSlotOf?(key: string): Promise<void>;
  settled(): Promise<void>;
}

export interface SystemOptions {
  readonly redis: RedisKind;
  readonly install: boolean;
  readonly say: (line: string) => void;
}

export type MachinesSystem = Awaited<ReturnType<typeof startSystem>>;

export async function openMachines(options: SystemOptions): Promise<MachinesSystem> {
  const hosts = Hosts.open(debianSystem(options.install));
  options.say(`hosts in ${hosts.folder}`);
  try {
    return await startSystem(hosts, options);
  } catch (error) {
    await hosts.close();
    throw error;
  }
}

async function startSystem(hosts: Hosts, { redis: kind, say }: SystemOptions) {
  const postgres = await PostgresPair.start(hosts.several('db', 2), hosts.add('etcd'));
  say('PostgreSQL stands, with a standby that follows synchronously');
  const balancer = await Balancer.start(hosts.add('balancer'), postgres);
  const places = hosts.several('redis', REDIS_HOSTS[kind]).map(redisOn);
  const redis: RedisPlace = await (kind === 'sentinel' ? Sentinels.start(places) : RedisCluster.start(places));
  say(`Redis stands (${kind})`);
  const environment: Readonly<Record<string, string>> = {
    ...productEnvironment(path.join(hosts.folder, 'attachments')),
    ...redis.settings,
    DATABASE_URL: balancer.url,
    DATABASE_DIRECT_URL: balancer.directUrl,
  };
  const workers = hosts.several('worker', WORKERS).map((host) => new HostedApp(host, 'worker', environment));
  const apis = hosts.several('api', APIS).map((host) => new HostedApp(host, 'api', environment));
  const apps = [...workers, ...apis];
  await runOperatorCommand(apis[0]!.host, environment, ['migrate', 'up']);
  await Promise.all(apps.map((app) => app.start()));
  say('the product stands');
  const parts = { hosts, network: hosts.network, postgres, balancer, redis, environment, workers, apis, apps };
  return {
    ...parts,
    /** Waits until every server has its replicas again. */
    async settled(): Promise<void> {
      await postgres.settled();
      await redis.settled();
    },
  };
}
