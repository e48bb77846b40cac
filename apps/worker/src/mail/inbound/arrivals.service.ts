import { MailUnderstandingService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';

/** For a bell that was not heard. */
const POLL_MS = 1_000;

/** Has the mails understood that were accepted. Round trips when idle: PostgreSQL 1 a second. */
@Injectable()
export class ArrivalsService {
  private readonly loop = new Loop({
    round: async () => ((await this.mails.understandNext(() => this.loop.wake())) ? 0 : POLL_MS),
    onError: (error) => this.telemetry.interrupted('mails that arrived could not be looked for', error),
    errorPauseMs: POLL_MS,
  });

  constructor(
    private readonly mails: MailUnderstandingService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.loop.start();
  }

  /** A mail was accepted. */
  wake(): void {
    this.loop.wake();
  }

  /** Reading a mail can take longer than a process has for its end. */
  async stop(): Promise<void> {
    await Promise.all([this.loop.stop(), this.mails.stop()]);
    // What the last round began.
    await this.mails.stop();
  }
}
