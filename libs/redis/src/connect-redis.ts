import fs from 'node:fs';
import { type Settings, singleHostUrls } from '#libs/settings';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

export type RedisClient = Redis | Cluster;

/** Where Redis is, and how it is asked. */
export type RedisPlace = Pick<
  Settings,
  'REDIS_URL' | 'REDIS_SENTINELS' | 'REDIS_SENTINEL_NAME' | 'REDIS_SENTINEL_PASSWORD' | 'REDIS_CLUSTER' | 'REDIS_CA'
>;

/** How one connection is used. */
export interface RedisUse {
  /** After so long a command has failed, though it may have been done. Not of a copy, whose commands block. */
  readonly commandTimeout?: number;
  /** How often a command is sent again after its connection was lost; null for as often as it takes. */
  readonly maxRetriesPerRequest: number | null;
  /** Whether commands wait for the connection. */
  readonly enableOfflineQueue?: boolean;
  readonly lazyConnect?: boolean;
  /** The pause before it connects again, in milliseconds; null for never. */
  readonly retryStrategy?: (times: number) => number | null;
  /** Hears of lost connections, which mend themselves. */
  readonly onError: (error: Error) => void;
  /** Hears of each new connection to a server, of a Cluster to each of its nodes. */
  readonly onReady?: () => void;
}

const CONNECT_TIMEOUT_MS = 3_000;

/**
 * How long an answer may take before the connection is given up: a host that vanishes sends no reset. Longer than idle
 * workers wait for a job in one command, or they would connect again and again.
 */
const SOCKET_TIMEOUT_MS = 10_000;

const SENTINEL_TIMEOUT_MS = 2_000;

/** The one place where connections to Redis are made: to a server, to the primary of Sentinels, or to a Cluster. */
export function connectRedis(place: RedisPlace, use: RedisUse): RedisClient {
  const client = place.REDIS_CLUSTER ? connectCluster(place, use) : connectServer(place, use);
  client.on('error', use.onError);
  // BullMQ waits for jobs over a copy, which is to be like this one. A wait takes as long as it was asked for.
  const { commandTimeout: _commandTimeout, ...waiting } = use;
  return Object.assign(client, { duplicate: () => connectRedis(place, waiting) });
}

const nothing = (): void => undefined;

const waitBetween = (times: number): number => Math.min(50 * times, 1_000);

function connectServer(place: RedisPlace, { onError: _onError, onReady = nothing, ...use }: RedisUse): Redis {
  const options = { retryStrategy: waitBetween, ...use, ...optionsOf(place) };
  const redis =
    place.REDIS_SENTINELS.length > 0 ? new Redis({ ...options, ...primaryOf(place, options) }) : new Redis(options);
  endOldSocketTimeout(redis);
  return redis.on('ready', onReady);
}

function connectCluster(place: RedisPlace, use: RedisUse): Cluster {
  const {
    lazyConnect = false,
    enableOfflineQueue = true,
    retryStrategy = waitBetween,
    onError: _onError,
    onReady = nothing,
    ...each
  } = use;
  const nodes = singleHostUrls(place.REDIS_URL!).map((url) => hostOf(new URL(url)));
  const { host: _host, port: _port, db: _db, ...redisOptions } = optionsOf(place);
  const cluster = new Cluster(nodes, {
    lazyConnect,
    enableOfflineQueue,
    // Where this check fails, ioredis connects again, and whoever waits for `connect()` waits for good. A worker of BullMQ does.
    enableReadyCheck: false,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    // The name is what the certificate is for.
    ...(redisOptions.tls && { dnsLookup: (name, found) => found(null, name) }),
    redisOptions: { ...each, ...redisOptions },
  });
  return cluster.on('+node', (node: Redis) => {
    endOldSocketTimeout(node);
    node.on('ready', onReady);
  });
}

/** What is the same for every server. */
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
    // A primary that became a replica: another one takes writes now.
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

/** Where a connection was lost while an answer was awaited, ioredis would end the next one in its stead. */
function endOldSocketTimeout(redis: Redis): void {
  const state = redis as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
  redis.on('close', () => {
    clearTimeout(state.socketTimeoutTimer);
    state.socketTimeoutTimer = undefined;
  });
}
