import { TooMany } from '#libs/entities';
import { type RedisClient, connectRedis, describeUncountedRequests, isRefusedByRedis, requestsKey } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Observable } from 'rxjs';
import type { AuthenticatedRequest, Caller } from './caller.js';

const WINDOW_SECONDS = 60;

const REDIS_TIMEOUT_MS = 50;

/** Returns the number in this window and its remaining milliseconds. */
const COUNT_SCRIPT = `
  local used = redis.call('INCR', KEYS[1])
  if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return {used, redis.call('PTTL', KEYS[1])}`;

/** Counts requests with a valid token in Redis, in one round trip. Without Redis, requests pass. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor, OnApplicationShutdown {
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

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { caller } = http.getRequest<AuthenticatedRequest>();
    const count = caller && (await this.count(caller));
    if (!count) return next.handle();
    const { used, leftMs } = count;
    const limit = this.settings.RATE_LIMIT_PER_MINUTE;
    const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000));
    void http
      .getResponse<FastifyReply>()
      .header('ratelimit-policy', `"default";q=${limit};w=${WINDOW_SECONDS}`)
      .header('ratelimit', `"default";r=${Math.max(0, limit - used)};t=${resetSeconds}`);
    if (used <= limit) return next.handle();
    const detail = `All tokens of an agent can make ${limit} requests a minute together. Try again in ${resetSeconds} s.`;
    throw new TooMany('too_many_requests', detail, resetSeconds);
  }

  /** All tokens of a person for one application share a count, so more tokens give no more requests. */
  private async count({ agentId, applicationId }: Caller): Promise<{ used: number; leftMs: number } | undefined> {
    const key = requestsKey(this.settings, agentId, applicationId ?? 'personal');
    const answer = await this.redis
      ?.eval(COUNT_SCRIPT, 1, key, WINDOW_SECONDS * 1000)
      .catch((error: Error) => this.logRefusal(error));
    if (!Array.isArray(answer)) return undefined;
    const [used, leftMs] = answer as [number, number];
    return { used, leftMs };
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
