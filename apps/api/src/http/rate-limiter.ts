import { type RedisClient, connectRedis } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** If Redis takes longer, the request passes without being counted. */
const REDIS_TIMEOUT_MS = 50;
const WINDOW_SECONDS = 60;

/** Counts a request. Returns the number in this window, and the milliseconds until the window ends. */
const COUNT_SCRIPT = `
  local used = redis.call('INCR', KEYS[1])
  if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return {used, redis.call('PTTL', KEYS[1])}`;

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** One round trip to Redis per request. Without Redis, requests pass. */
@Injectable()
export class RateLimiter implements OnApplicationShutdown {
  private readonly redis: RedisClient | undefined;

  constructor(@Inject(SETTINGS_TOKEN) private readonly settings: Settings) {
    if (!settings.REDIS_URL) return;
    this.redis = connectRedis(settings, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: REDIS_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 200, 2000),
      // It comes with each attempt to reconnect; a log line for each would be too much.
      onError: () => undefined,
    });
  }

  async count(caller: string): Promise<RateLimitResult | undefined> {
    const key = `${this.settings.QUEUE_PREFIX}:rate:${caller}`;
    const answer = await this.redis?.eval(COUNT_SCRIPT, 1, key, WINDOW_SECONDS * 1000).catch(() => undefined);
    if (!Array.isArray(answer)) return undefined;
    const [used = 0, leftMs = 0] = answer as number[];
    const limit = this.settings.RATE_LIMIT_PER_MINUTE;
    return {
      allowed: used <= limit,
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    };
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
