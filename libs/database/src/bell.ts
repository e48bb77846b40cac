import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AccountTx } from './connection.js';
import { type Prepared, systemStatement } from './statements.js';
import { Database } from './database.js';

/** The channel on which processes tell each other that something was committed. */
export const BELL_CHANNEL = 'deskwire_bell';

/**
 * However much is committed, a process rings at most once in this time: a NOTIFY serialises the commits that make one. What is
 * committed after a quiet time rings at once, along with its commit. So the time is short beside that between two events of a
 * desk with much to do: what does not go along waits, and costs a statement of its own.
 */
const COALESCE_MS = 2;

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

  /** After a quiet time it goes along with the commit, which saves a round trip. Otherwise it follows. */
  ringAfter(tx: AccountTx): void {
    let goesAlong = false;
    tx.atCommit(() => {
      goesAlong = !this.timer && this.rest() <= 0;
      return goesAlong ? this.ringing(new Set([tx.accountId])) : undefined;
    });
    tx.onCommit(() => {
      if (!goesAlong) this.ring(tx.accountId);
    });
  }

  /** Something was committed in this account. */
  ring(accountId: string): void {
    this.accounts.add(accountId);
    if (this.timer) return;
    const rest = this.rest();
    if (rest > 0) this.timer = setTimeout(() => this.ringNow(), rest);
    else this.ringNow();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private ringNow(): void {
    const { values } = this.ringing(this.accounts);
    this.timer = undefined;
    this.accounts.clear();
    this.database
      .system()
      .rows(RING, values)
      .catch(() => undefined);
  }

  private ringing(accounts: ReadonlySet<string>): Prepared {
    this.rungAt = performance.now();
    return { name: RING.name, text: RING.text, values: [sayAccounts(accounts)] };
  }

  /** How long it has to be quiet yet. */
  private rest(): number {
    return this.rungAt + COALESCE_MS - performance.now();
  }
}
