import { type Command, Redis } from 'ioredis';

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

/** Shared, because a Cluster sends a command again to another node. A repeated pipeline renews the promises. */
const sent = new WeakMap<Command, Promise<unknown>>();

/**
 * After a reconnect, ioredis resends commands that had no response, even if it timed out meanwhile. One such command takes a job
 * that then nobody performs. No option prevents it (`readyHandler` in lib/redis/event_handler.ts).
 */
export function dropTimedOutCommands(redis: Redis): void {
  if (redis.options.commandTimeout === undefined) return;
  redis.sendCommand = (command, stream) => {
    // The timer runs until the promise is settled.
    const { _commandTimeoutTimer: timer } = command as unknown as { _commandTimeoutTimer: unknown };
    if (timer === undefined && sent.get(command) === command.promise) return command.promise;
    sent.set(command, command.promise);
    return Redis.prototype.sendCommand.call(redis, command, stream);
  };
}
