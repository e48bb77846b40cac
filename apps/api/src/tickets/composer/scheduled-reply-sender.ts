import { POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { LOGGER, type Logger, OutageLog } from '#libs/telemetry';
import { ScheduledRepliesService } from '#libs/tickets';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

/** Shorter than the shortest delay of a reply, so each is found before it is due. */
const POLL_MS = 3000;

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
    this.sendIn(POLL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    clearTimeout(this.timer);
  }

  private sendIn(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.running = this.send().then((nextInMs) => this.sendIn(nextInMs));
    }, delayMs).unref();
  }

  private async send(): Promise<number> {
    try {
      const { errors, nextInMs } = await this.heldReplies.sendDue(POLL_MS);
      for (const error of errors)
        this.logger.error({ err: error }, 'a scheduled reply could not be sent and will be retried');
      this.outages.isOver(POSTGRESQL);
      return nextInMs;
    } catch (error) {
      const words = describeDatabaseOutage(error);
      if (words === undefined) this.logger.error({ err: error }, 'scheduled replies could not be read');
      else this.outages.lasts(POSTGRESQL, words);
      return POLL_MS;
    }
  }
}
