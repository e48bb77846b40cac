import { setTimeout as delay } from 'node:timers/promises';
import {
  DATABASE_IS_UNMIGRATED,
  Database,
  POSTGRESQL,
  describeDatabaseOutage,
  hasPendingMigrations,
} from '#libs/database';
import { OutageLog } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { QueueExaminationService } from '../deliveries/queue/queue-examination.service.js';

const MIGRATION_CHECK_MS = 1_000;

/** Checks that must pass before a worker takes work. */
@Injectable()
export class StartupChecksService {
  constructor(
    private readonly examination: QueueExaminationService,
    private readonly database: Database,
    private readonly outages: OutageLog,
  ) {}

  /** Resolves when the database is migrated. Rejects where Redis refuses the worker. */
  async pass(): Promise<void> {
    await this.examination.examine();
    while (!(await this.isMigrated())) await delay(MIGRATION_CHECK_MS);
  }

  /** During an update a worker may start before the migrations have run. */
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
