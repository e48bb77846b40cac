import { Clock, Database } from '#libs/database';
import { markSlow } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { RECEIVER_SLOW_FOR_MS } from './limits.js';

/** Notes in PostgreSQL that a receiver is slow, so that every process and the feeder know. */
@Injectable()
export class SlowReceiversService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: WorkerMetrics,
  ) {}

  mark(webhookId: string): void {
    const until = this.clock.in(RECEIVER_SLOW_FOR_MS);
    markSlow(this.database.system(), webhookId, until).catch((error: unknown) =>
      this.telemetry.interrupted('a receiver could not be marked as slow', error),
    );
  }
}
