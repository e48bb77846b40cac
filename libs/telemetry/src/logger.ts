import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

const CREDENTIALS = ['authorization', 'cookie', 'token', 'secret', 'password'];

/** What an error holds may hold the error again. */
const DEEPEST = 6;

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
    serializers: { err: (error: Error) => withoutRowValues(pino.stdSerializers.err(error)) },
    redact: { paths: CREDENTIALS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  });
}

/**
 * A failed statement's error carries its parameters, and PostgreSQL's own the row in `detail`: password hashes among
 * them. It can be inside another error, at any depth.
 */
function withoutRowValues(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth > DEEPEST) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => withoutRowValues(item, depth + 1));
  const kept = Object.entries(value).filter(
    ([key]) => key !== 'parameters' && !(key === 'detail' && 'severity' in value),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRowValues(inner, depth + 1)]));
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
