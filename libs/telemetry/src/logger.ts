import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

const CREDENTIALS = ['authorization', 'cookie', 'token', 'secret', 'password'];

/** Buffer for lines that cannot be written, such as to a full disk. Further lines are lost. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** A process that stops waits this long for the reader of its log. */
const LAST_LINES_MS = 1000;

/** Errors can be circular. */
const MAX_DEPTH = 6;

/** Logs JSON lines. Credentials are redacted here, so callers need not remember it. */
export function createLogger(app: string, level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error: Error) => withoutRowValues(pino.stdSerializers.err(error)) },
    redact: { paths: CREDENTIALS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, (output ??= openOutput()));
}

let output: DestinationStream | undefined;

/** All loggers of a process share one. If the log cannot be written, the process tries again with the next line. */
function openOutput(): DestinationStream {
  let retriesUntil = Number.POSITIVE_INFINITY;
  const stream = pino.destination({
    dest: process.stdout.fd || 1,
    sync: false,
    maxLength: MAX_BUFFERED_BYTES,
    retryEAGAIN: () => performance.now() < retriesUntil,
  });
  let isFailing = false;
  stream.on('error', () => (isFailing = true));
  stream.on('write', () => (isFailing = false));
  // Otherwise it would retry forever at the exit.
  process.prependListener('exit', () => {
    retriesUntil = performance.now() + LAST_LINES_MS;
    try {
      if (!isFailing) stream.flushSync();
    } catch {
      // The log is not read.
    }
    stream.destroy();
  });
  return stream;
}

/**
 * Removes the parameters of failed statements, and the row that PostgreSQL adds in `detail`: both can contain password
 * hashes. Such an error may be nested in others.
 */
function withoutRowValues(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => withoutRowValues(item, depth + 1));
  const kept = Object.entries(value).filter(
    ([key]) => key !== 'parameters' && (key !== 'detail' || !('severity' in value)),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRowValues(inner, depth + 1)]));
}

/** Logs the messages of Nest in the same format. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    // The program prints this error itself.
    if (rest.at(-1) === 'ExceptionHandler') return;
    this.logger.error({ context: rest.at(-1), stack: rest.length > 1 ? rest[0] : undefined }, String(message));
  }
}
