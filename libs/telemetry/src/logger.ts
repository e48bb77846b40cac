import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

const CREDENTIALS = ['authorization', 'cookie', 'token', 'secret', 'password'];

/**
 * One JSON line per thing worth knowing. What could carry a credential is cut out here, once, rather than trusted
 * to every caller.
 */
export function createLogger(app: string, level: string): Logger {
  return pino({
    level,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: CREDENTIALS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  });
}

/** Nest's own messages in the same stream and form as ours. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ context: rest.at(-1), stack: rest.length > 1 ? rest[0] : undefined }, String(message));
  }
}
