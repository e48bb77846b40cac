import { Clock, DatabaseModule } from '#libs/database';
import { SettingsModule } from '#libs/settings';
import { NestLogger, TelemetryModule, createLogger } from '#libs/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { TaskReport, Task } from '../../apps/worker/src/upkeep/task.js';
import { UpkeepModule } from '../../apps/worker/src/upkeep/upkeep.module.js';
import { UPKEEP_TASKS, UpkeepService } from '../../apps/worker/src/upkeep/upkeep.service.js';
import { MailsService } from '../../apps/worker/src/mail/mails.service.js';
import { SIGN_IN_NOTICES } from '../../apps/worker/src/mail/sign-in-notices.js';
import { WEBHOOK_NOTICES } from '../../apps/worker/src/mail/webhook-notices.js';
import { WorkerTelemetryModule } from '../../apps/worker/src/telemetry/worker-telemetry.module.js';
import type { Desk } from './desk.js';

/** What a worker does from time to time, in this process and by the clock of the desk, when the test says so. */
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
        WorkerTelemetryModule,
        UpkeepModule,
      ],
    });
    const context = await testing
      .overrideProvider(Clock)
      .useValue(desk.clock)
      .setLogger(new NestLogger(logger))
      .compile();
    return new DeskUpkeep(await context.init());
  }

  /** As its loop would: only what is due. */
  runDue(): Promise<void> {
    return this.context.get(UpkeepService).runDue();
  }

  /** One task, due or not. */
  async run(name: string): Promise<TaskReport> {
    const task = this.context.get<Task[]>(UPKEEP_TASKS).find((one) => one.name === name);
    if (!task) throw new Error(`There is no task ${name}`);
    return task.run();
  }

  sendNotices(): Promise<number> {
    return this.context.get(MailsService).sendDue(WEBHOOK_NOTICES);
  }

  sendSignInNotices(): Promise<number> {
    return this.context.get(MailsService).sendDue(SIGN_IN_NOTICES);
  }

  stop(): Promise<void> {
    return this.context.close();
  }
}
