import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';

/** A receiver that kept us waiting is only probed for this long, or until it answers. */
export const RECEIVER_SLOW_FOR_MS = 30_000;

const MARK_SLOW = systemStatement(
  'webhook_slow',
  'How a receiver behaves is seen by whoever delivers to it, in any account',
  `update webhooks set slow_until = $2
   where id = $1 and coalesce(slow_until < $2::timestamptz - interval '10 seconds', true)`,
);

/** Tells every process, and the feeder first, what one of them has noticed. */
@Injectable()
export class SlowReceivers {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  mark(webhookId: string): void {
    const until = this.clock.in(RECEIVER_SLOW_FOR_MS);
    this.database
      .system()
      .rows(MARK_SLOW, [webhookId, until])
      .catch((error: unknown) => this.telemetry.interrupted('a slow receiver could not be noted', error));
  }
}
