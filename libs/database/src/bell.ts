import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { systemStatement } from './statements.js';
import { Database } from './database.js';

/** The channel on which processes tell each other that something was committed. */
export const BELL_CHANNEL = 'deskwire_bell';

/**
 * However much is committed, a process rings at most once in this time: a NOTIFY serialises the commits that make one. What is
 * committed after a quiet time rings at once.
 */
const COALESCE_MS = 5;

const RING = systemStatement(
  'bell_ring',
  'It only wakes listeners and touches no row',
  `select pg_notify('${BELL_CHANNEL}', $1)`,
);

/** As many ids as fit into what PostgreSQL carries. */
const MAX_NAMED = 200;

/** What is said to listeners: the accounts, or nothing where they are too many. */
const sayAccounts = (accountIds: ReadonlySet<string>): string =>
  accountIds.size > MAX_NAMED ? '' : [...accountIds].join(',');

/** None where it may be any account. */
export const heardAccounts = (said: string): string[] => (said === '' ? [] : said.split(','));

/**
 * Wakes the relay and live pages after a commit, never inside the transaction. It only saves waiting: whoever listens
 * also polls, so a bell that is not heard costs time and nothing else.
 */
@Injectable()
export class Bell implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private rungAt = Number.NEGATIVE_INFINITY;
  private readonly accounts = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Something was committed in this account. */
  ring(accountId: string): void {
    this.accounts.add(accountId);
    if (this.timer) return;
    const quietFor = performance.now() - this.rungAt;
    if (quietFor >= COALESCE_MS) this.ringNow();
    else this.timer = setTimeout(() => this.ringNow(), COALESCE_MS - quietFor);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private ringNow(): void {
    const said = sayAccounts(this.accounts);
    this.timer = undefined;
    this.rungAt = performance.now();
    this.accounts.clear();
    this.database
      .system()
      .rows(RING, [said])
      .catch(() => undefined);
  }
}
