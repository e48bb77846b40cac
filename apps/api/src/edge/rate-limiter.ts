import { requestsKey } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from './caller.js';
import { RequestRedisClient } from './request-redis-client.js';

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
export class RateLimiter {
  constructor(
    private readonly redis: RequestRedisClient,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /**
   * However many tokens a person has: those of one application count together, and so do the personal ones. Only the
   * operator adds applications, so nobody gains requests by making tokens.
   */
  async count({
    agentId,
    applicationId,
  }: Pick<Caller, 'agentId' | 'applicationId'>): Promise<RateLimitResult | undefined> {
    const key = requestsKey(this.settings, agentId, applicationId ?? 'personal');
    const answer = await this.redis.run(COUNT_SCRIPT, [key], [WINDOW_SECONDS * 1000]);
    if (!answer) return undefined;
    const [used, leftMs] = answer as [number, number];
    const limit = this.settings.RATE_LIMIT_PER_MINUTE;
    return {
      allowed: used <= limit,
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    };
  }
}
