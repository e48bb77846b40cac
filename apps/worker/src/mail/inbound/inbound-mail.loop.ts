import { InboundMailProcessor } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';

@Injectable()
export class InboundMailLoop {
  readonly loop = new Loop({
    round: async () => ((await this.mails.processNext(() => this.loop.wake())) ? 0 : UNTIL_WOKEN),
    onError: (error) => this.telemetry.interrupted('accepted emails could not be claimed', error),
  });

  constructor(
    private readonly mails: InboundMailProcessor,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.loop.start();
  }

  /** Parsing can take longer than the shutdown may. */
  async stop(): Promise<void> {
    await Promise.all([this.loop.stop(), this.mails.stop()]);
    await this.mails.stop();
  }
}
