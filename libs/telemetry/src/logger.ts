import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

const CREDENTIALS = ['authorization', 'cookie', 'token', 'secret', 'password'];

/** Of lines that cannot be written, such as to a full disk, so many wait; what comes then is lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** What an error holds may hold the error again. */
const DEEPEST = 6;

/**
 * One JSON line per thing worth knowing. What could carry a credential is cut out here, once, rather than trusted
 * to every caller.
 */
export function createLogger(app: string, level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error: Error) => withoutRowValues(pino.stdSerializers.err(error)) },
    redact: { paths: CREDENTIALS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, standardOutput());
}

let output: DestinationStream | undefined;

/** One for a process, however many loggers it makes. */
const standardOutput = (): DestinationStream => (output ??= openOutput());

/** A process that cannot write its log goes on working, and tries again with the next line. */
function openOutput(): DestinationStream {
  const stream = pino.destination({ dest: process.stdout.fd || 1, sync: false, maxLength: MAX_WAITING_BYTES });
  let isFailing = false;
  stream.on('error', () => (isFailing = true));
  stream.on('write', () => (isFailing = false));
  // At the end it would try for ever to write what is left.
  process.prependListener('exit', () => {
    if (isFailing) stream.destroy();
  });
  return stream;
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
    // The program itself writes why it cannot start.
    if (rest.at(-1) === 'ExceptionHandler') return;
    this.logger.error({ context: rest.at(-1), stack: rest.length > 1 ? rest[0] : undefined }, String(message));
  }
}
