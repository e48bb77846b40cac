import { type RedisClient, connectRedis, isRefusedByRedis, requestsKey, describeUncountedRequests } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Caller } from './caller.js';

const WINDOW_SECONDS = 60;

const REDIS_TIMEOUT_MS = 50;

/** Returns the number in this window and its remaining milliseconds. */
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

/** One round trip. Without Redis, requests pass. */
@Injectable()
export class RateLimiter implements OnApplicationShutdown {
  private readonly redis: RedisClient | undefined;
  private hasLoggedRefusal = false;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    if (!settings.REDIS_URL) return;
    this.redis = connectRedis(settings, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: REDIS_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 200, 2000),
      // Each attempt to reconnect emits an error.
      onError: () => undefined,
    });
  }

  /** All tokens of a person for one application share a count, so more tokens give no more requests. */
  async count({
    agentId,
    applicationId,
  }: Pick<Caller, 'agentId' | 'applicationId'>): Promise<RateLimitResult | undefined> {
    const key = requestsKey(this.settings, agentId, applicationId ?? 'personal');
    const answer = await this.redis
      ?.eval(COUNT_SCRIPT, 1, key, WINDOW_SECONDS * 1000)
      .catch((error: Error) => this.logRefusal(error));
    if (!Array.isArray(answer)) return undefined;
    const [used, leftMs] = answer as [number, number];
    const limit = this.settings.RATE_LIMIT_PER_MINUTE;
    return {
      allowed: used <= limit,
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    };
  }

  private logRefusal(error: Error): undefined {
    if (this.hasLoggedRefusal || !isRefusedByRedis(error)) return;
    this.hasLoggedRefusal = true;
    this.logger.error(describeUncountedRequests(error));
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
