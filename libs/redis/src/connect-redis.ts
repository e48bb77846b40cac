import fs from 'node:fs';
import { type Settings, singleHostUrls } from '#libs/settings';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { dropTimedOutCommands, endOldSocketTimeout } from './ioredis-internals.js';

export type RedisClient = Redis | Cluster;

export type RedisPlace = Pick<
  Settings,
  'REDIS_URL' | 'REDIS_SENTINELS' | 'REDIS_SENTINEL_NAME' | 'REDIS_SENTINEL_PASSWORD' | 'REDIS_CLUSTER' | 'REDIS_CA'
>;

interface RedisUse {
  /**
   * A slower command fails, though it may have run. Copies of the connection ignore it, because their commands block.
   */
  readonly commandTimeout?: number;
  /** Null for no limit. */
  readonly maxRetriesPerRequest: number | null;
  readonly enableOfflineQueue?: boolean;
  readonly lazyConnect?: boolean;
  /** Milliseconds until it reconnects; null for never. */
  readonly retryStrategy?: (times: number) => number | null;
  readonly onError: (error: Error) => void;
  /** Each new connection; in a Cluster, to each node. */
  readonly onReady?: () => void;
}

const CONNECT_TIMEOUT_MS = 3_000;

/**
 * A vanished host sends no reset. Longer than an idle worker's command blocks, or workers would reconnect again and
 * again.
 */
const SOCKET_TIMEOUT_MS = 10_000;

const SENTINEL_TIMEOUT_MS = 2_000;

/** A server, the primary of Sentinels, or a Cluster. */
export function connectRedis(place: RedisPlace, use: RedisUse): RedisClient {
  const client = place.REDIS_CLUSTER ? connectCluster(place, use) : connectServer(place, use);
  client.on('error', use.onError);
  // BullMQ's copy blocks longer than the timeout.
  const { commandTimeout: _commandTimeout, ...waiting } = use;
  return Object.assign(client, { duplicate: () => connectRedis(place, waiting) });
}

const noop = (): void => undefined;

const reconnectDelayMs = (times: number): number => Math.min(50 * times, 1_000);

function connectServer(place: RedisPlace, { onError: _onError, onReady = noop, ...use }: RedisUse): Redis {
  const options = { retryStrategy: reconnectDelayMs, ...use, ...optionsOf(place) };
  const redis =
    place.REDIS_SENTINELS.length > 0 ? new Redis({ ...options, ...primaryOf(place, options) }) : new Redis(options);
  endOldSocketTimeout(redis);
  dropTimedOutCommands(redis);
  return redis.on('ready', onReady);
}

function connectCluster(place: RedisPlace, use: RedisUse): Cluster {
  const {
    lazyConnect = false,
    enableOfflineQueue = true,
    retryStrategy = reconnectDelayMs,
    onError: _onError,
    onReady = noop,
    ...each
  } = use;
  const nodes = singleHostUrls(place.REDIS_URL!).map((url) => hostOf(new URL(url)));
  const { host: _host, port: _port, db: _db, ...redisOptions } = optionsOf(place);
  const cluster = new Cluster(nodes, {
    lazyConnect,
    enableOfflineQueue,
    // If it fails, ioredis reconnects but `connect()` never settles, and BullMQ's worker waits for good.
    enableReadyCheck: false,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    // The certificate is for the name, not the address.
    ...(redisOptions.tls && { dnsLookup: (name, found) => found(null, name) }),
    redisOptions: { ...each, ...redisOptions },
  });
  return cluster.on('+node', (node: Redis) => {
    endOldSocketTimeout(node);
    dropTimedOutCommands(node);
    node.on('ready', onReady);
  });
}

function optionsOf({ REDIS_URL, REDIS_CA }: RedisPlace): RedisOptions {
  const url = new URL(singleHostUrls(REDIS_URL!)[0]!);
  const { username, password, protocol, pathname } = url;
  return {
    ...hostOf(url),
    db: Number(pathname.slice(1)) || 0,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: REDIS_CA === undefined ? {} : { ca: fs.readFileSync(REDIS_CA) } }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // The primary became a replica. Another server takes writes now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  };
}

const hostOf = ({ hostname, port }: URL) => ({ host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port) || 6379 });

function primaryOf(place: RedisPlace, { tls }: RedisOptions): RedisOptions {
  return {
    sentinels: place.REDIS_SENTINELS.map(({ host, port }) => ({ host, port })),
    name: place.REDIS_SENTINEL_NAME,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    ...(place.REDIS_SENTINEL_PASSWORD !== undefined && { sentinelPassword: place.REDIS_SENTINEL_PASSWORD }),
    ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** The braces keep an agent's counters on one node of a Cluster. */
export const requestsKey = ({ QUEUE_PREFIX }: Settings, agentId: string, what: string): string =>
  `${QUEUE_PREFIX}:rate:{${agentId}}:${what}`;
