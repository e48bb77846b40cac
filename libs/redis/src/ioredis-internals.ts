import type { Redis } from 'ioredis';

/**
 * ioredis 5.11.1 leaves its private timer running when a connection closes with a command unanswered, and it would end
 * the next connection. No option prevents it: https://github.com/redis/ioredis/blob/v5.11.1/lib/Redis.ts
 * (setSocketTimeout).
 */
export function endOldSocketTimeout(redis: Redis): void {
  const state = redis as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
  redis.on('close', () => {
    clearTimeout(state.socketTimeoutTimer);
    state.socketTimeoutTimer = undefined;
  });
}
