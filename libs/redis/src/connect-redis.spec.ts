import { Cluster } from 'ioredis';
import { expect, it } from 'vitest';
import { type RedisClient, type RedisPlace, connectRedis } from './connect-redis.js';

const timeoutOf = (client: RedisClient): number | undefined =>
  client instanceof Cluster ? client.options.redisOptions?.commandTimeout : client.options.commandTimeout;

it.each([false, true])(
  'times out commands, but not those of a copy of the connection (Cluster: %s)',
  (REDIS_CLUSTER) => {
    const place = { REDIS_URL: 'redis://127.0.0.1:6379', REDIS_SENTINELS: [], REDIS_CLUSTER } as unknown as RedisPlace;
    const use = { maxRetriesPerRequest: null, commandTimeout: 1_000, lazyConnect: true, onError: () => undefined };
    const client = connectRedis(place, use);
    const copy = client.duplicate();

    expect(timeoutOf(client)).toBe(1_000);
    expect(timeoutOf(copy)).toBeUndefined();
    client.disconnect();
    copy.disconnect();
  },
);
