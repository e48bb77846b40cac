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
import { RedisRefuses, evictionFault, inspectRedis } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';

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
