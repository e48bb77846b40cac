import { DatabaseModule } from '#libs/database';
import { DeskUpkeepModule } from '#libs/desk';
import { SettingsModule } from '#libs/settings';
import { TelemetryModule, createLogger } from '#libs/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Journal } from '../../apps/worker/src/telemetry/journal.js';
import type { Report, Task } from '../../apps/worker/src/upkeep/task.js';
import { UPKEEP } from '../../apps/worker/src/upkeep/upkeep.providers.js';
import { TASKS, Upkeep } from '../../apps/worker/src/upkeep/upkeep.service.js';
import { WebhookNotices } from '../../apps/worker/src/mail/webhook-notices.js';
import type { Desk } from './desk.js';

/** What a worker does from time to time, in this process and by the clock of the desk, when the test says so. */
export class DeskUpkeep {
  private constructor(private readonly context: INestApplicationContext) {}

  static async start(desk: Desk): Promise<DeskUpkeep> {
    const { settings } = desk;
    class UpkeepOfTests {}
    const module = {
      module: UpkeepOfTests,
      imports: [
        SettingsModule.of(settings),
        TelemetryModule.of('upkeep', createLogger('upkeep', settings.LOG_LEVEL)),
        DeskUpkeepModule,
        DatabaseModule.connect(settings, 'upkeep', desk.clock),
      ],
      providers: [...UPKEEP, Journal],
    };
    return new DeskUpkeep(await NestFactory.createApplicationContext(module, { logger: false }));
  }

  /** As its loop would: only what is due. */
  runDue(): Promise<void> {
    return this.context.get(Upkeep).runDue();
  }

  /** One task, due or not. */
  async run(name: string): Promise<Report> {
    const task = this.context.get<Task[]>(TASKS).find((one) => one.name === name);
    if (!task) throw new Error(`There is no task ${name}`);
    return task.run();
  }

  sendNotices(): Promise<number> {
    return this.context.get(WebhookNotices).sendDue();
  }

  stop(): Promise<void> {
    return this.context.close();
  }
}
