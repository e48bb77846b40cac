import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { systemStatement } from './statements.js';
import { Database } from './database.js';

/** The channel on which processes tell each other that something was committed. */
export const BELL_CHANNEL = 'deskwire_bell';

/** However much is committed, a process rings at most once in this time: a NOTIFY serialises the commits that make one. */
const COALESCE_MS = 5;

const RING = systemStatement(
  'bell_ring',
  'It only wakes listeners and touches no row',
  `select pg_notify('${BELL_CHANNEL}', '')`,
);

/**
 * Wakes the relay and live pages after a commit, never inside the transaction. It only saves waiting: whoever listens
 * also polls, so a bell that is not heard costs time and nothing else.
 */
@Injectable()
export class Bell implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /** Bound, so that the function itself can be handed to `tx.onCommit` and is one and the same each time. */
  readonly ring = (): void => {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.database
        .system()
        .rows(RING)
        .catch(() => undefined);
    }, COALESCE_MS);
  };

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }
}
