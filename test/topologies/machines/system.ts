import path from 'node:path';
import { RedisCluster } from '../support/redis-cluster.js';
import { PASSWORD, type RedisNode } from '../support/redis-node.js';
import { Sentinels } from '../support/sentinels.js';
import { Balancer } from './balancer.js';
import { debianSystem } from './debian-system.js';
import type { Host } from './host.js';
import { Hosts } from './hosts.js';
import type { Network } from './network.js';
import { PostgresPair } from './postgres-pair.js';
import { HostedApp, type Installation, productEnvironment, runOperatorCommand } from './product.js';
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
  readonly checkout: string;
  /** Bypasses PgBouncer, and uses one address of Redis: that of the primary at its start. */
  readonly plain: boolean;
  readonly install: boolean;
  readonly say: (line: string) => void;
}

interface Servers {
  readonly postgres: PostgresPair;
  readonly balancer: Balancer;
  readonly redis: RedisPlace;
}

interface Product {
  readonly installation: Installation;
  readonly workers: readonly HostedApp[];
  readonly apis: readonly HostedApp[];
}

export class MachinesSystem {
  readonly network: Network;
  readonly postgres: PostgresPair;
  readonly balancer: Balancer;
  readonly redis: RedisPlace;
  readonly installation: Installation;
  readonly workers: readonly HostedApp[];
  readonly apis: readonly HostedApp[];

  private constructor(
    private readonly hosts: Hosts,
    servers: Servers,
    product: Product,
  ) {
    this.network = hosts.network;
    this.postgres = servers.postgres;
    this.balancer = servers.balancer;
    this.redis = servers.redis;
    this.installation = product.installation;
    this.workers = product.workers;
    this.apis = product.apis;
  }

  static async open(options: SystemOptions): Promise<MachinesSystem> {
    const hosts = Hosts.open(debianSystem(options.install));
    options.say(`hosts in ${hosts.folder}`);
    try {
      const servers = await startServers(hosts, options);
      const product = await startProduct(hosts, servers, options);
      options.say('the product stands');
      return new MachinesSystem(hosts, servers, product);
    } catch (error) {
      await hosts.close();
      throw error;
    }
  }

  get apps(): readonly HostedApp[] {
    return [...this.workers, ...this.apis];
  }

  hostAt(address: string): Host {
    return this.hosts.at(address);
  }

  /** Waits until every server has its replicas again. */
  async settled(): Promise<void> {
    await this.postgres.settled();
    await this.redis.settled();
  }

  async close(): Promise<void> {
    await this.hosts.close();
  }
}

async function startServers(hosts: Hosts, { redis: kind, say }: SystemOptions): Promise<Servers> {
  const postgres = await PostgresPair.start(hosts.several('db', 2), hosts.add('etcd'));
  say('PostgreSQL stands, with a standby that follows synchronously');
  const balancer = await Balancer.start(hosts.add('balancer'), postgres);
  const places = hosts.several('redis', REDIS_HOSTS[kind]).map(redisOn);
  const redis = await (kind === 'sentinel' ? Sentinels.start(places) : RedisCluster.start(places));
  say(`Redis stands (${kind})`);
  return { postgres, balancer, redis };
}

async function startProduct(
  hosts: Hosts,
  { balancer, redis }: Servers,
  { checkout, plain }: SystemOptions,
): Promise<Product> {
  const environment = {
    ...productEnvironment(path.join(hosts.folder, 'attachments')),
    ...(plain ? await plainSettings(redis) : redis.settings),
    DATABASE_URL: plain ? balancer.directUrl : balancer.url,
    DATABASE_DIRECT_URL: balancer.directUrl,
  };
  const installation = { checkout, environment };
  const workers = hosts.several('worker', WORKERS).map((host) => new HostedApp(host, 'worker', installation));
  const apis = hosts.several('api', APIS).map((host) => new HostedApp(host, 'api', installation));
  await runOperatorCommand(apis[0]!.host, installation, ['migrate', 'up']);
  await balancer.sql((client) => client.query(SEEDABLE));
  await Promise.all([...workers, ...apis].map((app) => app.start()));
  return { installation, workers, apis };
}

/** Older versions lack a column that the test accounts set. */
const SEEDABLE = 'alter table accounts add column if not exists undo_send_seconds smallint';

async function plainSettings(redis: RedisPlace): Promise<Readonly<Record<string, string>>> {
  const { host, port } = await redis.ownerOf(QUEUE_KEY);
  return { REDIS_URL: `redis://:${PASSWORD}@${host}:${port}` };
}
