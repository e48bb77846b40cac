import { Clock, DatabaseModule } from '#libs/database';
import { PayloadsModule } from '#libs/payloads';
import { SettingsModule } from '#libs/settings';
import { StorageModule } from '#libs/storage';
import { NestLogger, TelemetryModule, createLogger } from '#libs/telemetry';
import { WebhookDisablingService } from '#libs/webhooks';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  type TaskReport,
  type Task,
  UPKEEP_TASKS,
  UpkeepService,
} from '../../apps/worker/src/upkeep/upkeep.service.js';
import { UPKEEP_PROVIDERS } from '../../apps/worker/src/upkeep/tasks.js';
import { MailAttemptsService } from '../../apps/worker/src/mail/outbound/mail-attempts.service.js';
import { MailClaimsService } from '../../apps/worker/src/mail/outbound/mail-claims.service.js';
import { LiveWorkersService } from '../../apps/worker/src/live-workers.service.js';
import { MailModule } from '../../apps/worker/src/mail/mail.module.js';
import { WorkerMetrics } from '../../apps/worker/src/telemetry/worker-metrics.js';
import type { Desk } from './desk.js';

const REPORTING = [LiveWorkersService, WorkerMetrics];

/** Runs the periodic tasks of a worker in this process, by the clock of the desk. */
export class DeskUpkeep {
  private constructor(private readonly context: INestApplicationContext) {}

  static async start(desk: Desk): Promise<DeskUpkeep> {
    const { settings } = desk;
    const logger = createLogger('upkeep', settings.LOG_LEVEL);
    const testing = Test.createTestingModule({
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('upkeep', logger),
        DatabaseModule.forRoot({ app: 'upkeep' }),
        PayloadsModule.forRoot(settings.PUBLIC_URL),
        StorageModule,
        { module: class {}, global: true, providers: REPORTING, exports: REPORTING },
        MailModule,
      ],
      providers: [WebhookDisablingService, ...UPKEEP_PROVIDERS],
    });
    const context = await testing
      .overrideProvider(Clock)
      .useValue(desk.clock)
      .setLogger(new NestLogger(logger))
      .compile();
    return new DeskUpkeep(await context.init());
  }

  /** Like its loop: only due tasks. */
  runDue(): Promise<void> {
    return this.context.get(UpkeepService).runDue();
  }

  /** One task, due or not. */
  async run(name: string): Promise<TaskReport> {
    const task = this.context.get<Task[]>(UPKEEP_TASKS).find((one) => one.name === name);
    if (!task) throw new Error(`There is no task ${name}`);
    return task.run();
  }

  /** Runs the due tasks. Returns their number. */
  async sendMails(): Promise<number> {
    const due = await this.context.get(MailClaimsService).claim([], (total) => 10 * total);
    const attempts = this.context.get(MailAttemptsService);
    await Promise.all(due.map((mail) => attempts.attempt(mail, new AbortController().signal)));
    return due.length;
  }

  stop(): Promise<void> {
    return this.context.close();
  }
}
