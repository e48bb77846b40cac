import { type RedisClient, connectRedis, isRefusedByRedis, tellUncounted } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** If Redis takes longer, the request goes on without it. */
const REDIS_TIMEOUT_MS = 50;

/** The connection to Redis of what is asked with each request. */
@Injectable()
export class RequestRedisClient implements OnApplicationShutdown {
  private readonly redis: RedisClient | undefined;
  private hasToldRefusal = false;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
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

  /** One round trip. Undefined where there is no Redis, or it does not answer in time. */
  async run(
    script: string,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown[] | undefined> {
    const answer = await this.redis
      ?.eval(script, keys.length, ...keys, ...values)
      .catch((error: Error) => this.tell(error));
    return Array.isArray(answer) ? answer : undefined;
  }

  /** Once: it does not mend itself, and would come with each request. */
  private tell(error: Error): undefined {
    if (this.hasToldRefusal || !isRefusedByRedis(error)) return;
    this.hasToldRefusal = true;
    this.logger.error(tellUncounted(error));
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
