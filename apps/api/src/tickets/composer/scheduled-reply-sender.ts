import { POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { LOGGER, type Logger, OutageLog } from '#libs/telemetry';
import { ScheduledRepliesService } from '#libs/tickets';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const POLL_MS = 1000;

/** Sends due replies. It runs in every API process; each reply is claimed by one. */
@Injectable()
export class ScheduledReplySender implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly heldReplies: ScheduledRepliesService,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outages: OutageLog,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.send();
    }, POLL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async send(): Promise<void> {
    try {
      for (const error of await this.heldReplies.sendDue()) this.logger.error({ err: error }, 'reply not sent yet');
      this.outages.isOver(POSTGRESQL);
    } catch (error) {
      const words = describeDatabaseOutage(error);
      if (words === undefined) this.logger.error({ err: error }, 'replies that wait not read');
      else this.outages.lasts(POSTGRESQL, words);
    } finally {
      this.running = undefined;
    }
  }
}
