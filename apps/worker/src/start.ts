import { DatabaseUnusable } from '#libs/database';
import { InvalidSettings, misspeltSettings, readSettings } from '#libs/settings';
import { NestLogger, createLogger, enableGracefulShutdown } from '#libs/telemetry';
import { RedisRefuses } from '#libs/delivery';
import { NestFactory } from '@nestjs/core';
import { WorkerLifecycleService } from './worker-lifecycle.service.js';
import { WorkerModule } from './worker.module.js';

export async function start(): Promise<void> {
  try {
    const settings = readSettings();
    const logger = createLogger('worker', settings.LOG_LEVEL);
    for (const warning of misspeltSettings()) logger.warn(warning);
    const app = await NestFactory.createApplicationContext(WorkerModule.with(settings, logger), {
      logger: new NestLogger(logger),
      abortOnError: false,
    });
    enableGracefulShutdown(app, { graceMs: settings.SHUTDOWN_GRACE_MS });
    await app.get(WorkerLifecycleService).start();
  } catch (error) {
    // The logger’s settings may be the invalid ones.
    const { message, stack } = error as Error;
    process.stderr.write(`Deskwire’s worker cannot start: ${isForOperators(error) ? message : (stack ?? message)}\n`);
    process.exit(1);
  }
}

const isForOperators = (error: unknown): boolean =>
  [InvalidSettings, RedisRefuses, DatabaseUnusable].some((kind) => error instanceof kind);
