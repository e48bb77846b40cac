import { Clock, Database } from '#libs/database';
import { markSlow } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { RECEIVER_SLOW_FOR_MS } from './request-limiter.js';

/** Shares slow receivers with all processes, through PostgreSQL. */
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
