import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Journal } from '../telemetry/journal.js';

/** A receiver that kept us waiting is only probed for this long, or until it answers. */
export const SLOW_FOR_MS = 30_000;

const NOTE = systemStatement(
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
    private readonly journal: Journal,
  ) {}

  note(webhookId: string): void {
    const until = new Date(this.clock.now().getTime() + SLOW_FOR_MS);
    this.database
      .system()
      .rows(NOTE, [webhookId, until])
      .catch((error: unknown) => this.journal.interrupted('a slow receiver could not be noted', error));
  }
}
