import type { Provider } from '@nestjs/common';
import { Clock } from './clock.js';
import type { AccountTx } from './connection.js';
import { type AccountDatabase, Database } from './database.js';
import { meetsNewPartition } from './transient-error.js';

/** PostgreSQL ended one of two transactions that waited for each other. Nothing was changed, so it may run again. */
const DEADLOCK = '40P01';
const MAX_RUNS = 3;

/** The transaction was undone for the moment in which it came, and not for what it does. */
const mayRunAgain = (error: unknown): boolean =>
  (error as { code?: string }).code === DEADLOCK || meetsNewPartition(error);

/** Turns an error of PostgreSQL into one of the domain, or gives it back unchanged. */
export type ErrorTranslation = (error: unknown) => unknown;

/** The one way to run a transaction of an account. */
export class Transactions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly translate: ErrorTranslation = (error) => error,
  ) {}

  /** Each library that has domain errors of its own provides its own translation. */
  static provider(translate?: ErrorTranslation): Provider {
    return {
      provide: Transactions,
      inject: [Database, Clock],
      useFactory: (database: Database, clock: Clock) => new Transactions(database, clock, translate),
    };
  }

  /** For reading what needs no transaction. */
  account({ accountId }: { readonly accountId: string }): AccountDatabase {
    return this.database.account(accountId);
  }

  /** The moment, for reading what depends on it. */
  now(): Date {
    return this.clock.now();
  }

  /** One action of one account: all of it or none. After what `mayRunAgain` tells of, `work` runs again from its beginning. */
  async run<T>(context: { readonly accountId: string }, work: (tx: AccountTx, now: Date) => Promise<T>): Promise<T> {
    for (let run = 1; ; run++) {
      try {
        return await this.account(context).transaction((tx) => work(tx, this.clock.now()));
      } catch (error) {
        if (!mayRunAgain(error) || run === MAX_RUNS) throw this.translate(error);
      }
    }
  }
}
