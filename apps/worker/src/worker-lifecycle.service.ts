import { setTimeout as delay } from 'node:timers/promises';
import {
  DATABASE_IS_UNMIGRATED,
  Database,
  POSTGRESQL,
  describeDatabaseOutage,
  hasPendingMigrations,
} from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger, OutageLog } from '#libs/telemetry';
import { RedisRefuses, evictionFault, inspectRedis, DeliveryQueue } from '#libs/delivery';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HealthServer } from './health/health-server.js';

const MIGRATION_CHECK_MS = 1_000;

@Injectable()
export class StartupChecksService {
  constructor(
    private readonly database: Database,
    private readonly outages: OutageLog,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rejects if Redis refuses the worker. */
  async pass(): Promise<void> {
    await Promise.all([this.checkQueue(), this.waitForMigrations()]);
  }

  /** The worker reconnects to an unreachable Redis. */
  private async checkQueue(): Promise<void> {
    if (this.settings.REDIS_URL === undefined) return;
    try {
      const fault = evictionFault(await inspectRedis(this.settings));
      if (fault) this.logger.error(fault);
    } catch (error) {
      if (error instanceof RedisRefuses) throw error;
    }
  }

  /** In an update a worker may start before the migrations. */
  private async waitForMigrations(): Promise<void> {
    while (!(await this.isMigrated())) await delay(MIGRATION_CHECK_MS);
  }

  private async isMigrated(): Promise<boolean> {
    try {
      const isPending = await hasPendingMigrations(this.database.dataSource);
      if (isPending) this.outages.lasts(POSTGRESQL, DATABASE_IS_UNMIGRATED);
      return !isPending;
    } catch (error) {
      this.outages.lasts(POSTGRESQL, describeDatabaseOutage(error) ?? String(error));
      return false;
    }
  }
}

interface Running {
  start(): void;
  stop(): Promise<void>;
}

export type BackgroundService = Running | { readonly loop: Running };

export const BACKGROUND_SERVICES = Symbol('parts of the pipeline');

/** Stops in reverse order, so no work reaches a stopped service. */
@Injectable()
export class WorkerLifecycleService implements BeforeApplicationShutdown {
  private readonly parts: readonly Running[];
  private isStopping = false;

  constructor(
    private readonly health: HealthServer,
    private readonly queue: DeliveryQueue,
    private readonly checks: StartupChecksService,
    @Inject(BACKGROUND_SERVICES) services: readonly BackgroundService[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.parts = services.map((service) => ('start' in service ? service : service.loop));
  }

  /** The process must handle signals by then: it may be asked to stop as soon as it is ready. */
  async start(): Promise<void> {
    const port = await this.health.start();
    await this.checks.pass();
    if (this.isStopping) return;
    for (const part of this.parts) part.start();
    this.logger.info({ port }, 'the worker is running');
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.isStopping = true;
    this.logger.info({ signal }, 'stopping');
    this.health.drain();
    for (const part of this.parts.toReversed()) await part.stop();
    await this.queue.close();
    await this.health.stop();
    this.logger.info('stopped');
  }
}
