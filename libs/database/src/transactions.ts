import type { Provider } from '@nestjs/common';
import { Clock } from './clock.js';
import type { AccountTx } from './connection.js';
import { type AccountDatabase, type AccountScope, Database } from './database.js';
import { meetsNewPartition } from './postgres-errors.js';

const DEADLOCK = '40P01';
const MAX_RUNS = 3;

/** Another transaction caused the rollback, so a second run can succeed. */
const isRetryable = (error: unknown): boolean =>
  (error as { code?: string }).code === DEADLOCK || meetsNewPartition(error);

export class Transactions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly translate: (error: unknown) => unknown = (error) => error,
  ) {}

  /** Lets a library raise its domain errors. */
  static provider(translate?: (error: unknown) => unknown): Provider {
    return {
      provide: Transactions,
      inject: [Database, Clock],
      useFactory: (database: Database, clock: Clock) => new Transactions(database, clock, translate),
    };
  }

  account({ accountId }: { readonly accountId: string }): AccountDatabase {
    return this.database.account(accountId);
  }

  now(): Date {
    return this.clock.now();
  }

  /** After a deadlock `work` runs again. */
  async run<T>(context: AccountScope, work: (tx: AccountTx, now: Date) => Promise<T>): Promise<T> {
    for (let run = 1; ; run++) {
      try {
        return await this.account(context).transaction((tx) => work(tx, this.clock.now()), context.precondition);
      } catch (error) {
        if (!isRetryable(error) || run === MAX_RUNS) throw this.translate(error);
      }
    }
  }
}
