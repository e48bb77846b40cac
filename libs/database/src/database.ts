import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import {
  AccountConnection,
  AccountTx,
  type AfterCommitCallbacks,
  type Queryable,
  SystemConnection,
  SystemTx,
} from './connection.js';
import { BEGIN, COMMIT, Pipeline } from './pipeline.js';
import { transactionSettingsOf } from './data-source.js';
import { closeIdle, openPrepared } from './preparation.js';
import { settingsOfTransaction } from './session-settings.js';
import { SingleStatements } from './single-statements.js';
import { type Prepared, definedStatements } from './statements.js';

/** What names the account of a request. */
export interface AccountScope {
  readonly accountId: string;
}

/** The one door to PostgreSQL: either for one account, or over all of them with a stated reason. */
@Injectable()
export class Database {
  constructor(@InjectDataSource() readonly dataSource: DataSource) {}

  account(accountId: string): AccountDatabase {
    return new AccountDatabase(accountId, this);
  }

  system(): SystemConnection {
    return new SystemConnection(this.statements(), this.dataSource.manager);
  }

  systemTransaction<T>(work: (tx: SystemTx) => Promise<T>): Promise<T> {
    return this.inTransaction((pipeline, manager, afterCommit) => work(new SystemTx(pipeline, manager, afterCommit)));
  }

  /** For single statements, each a transaction of its own. */
  statements(): Queryable {
    return new SingleStatements(this.pool(), this.settings());
  }

  /** TypeORM's pool. */
  pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /**
   * Closes the connections that wait for work, and opens some on which transactions and the statements of these names
   * are prepared. PostgreSQL decides by the first questions of a connection how it plans a statement from then on, so
   * questions that were not real ones must not be among them.
   */
  async renew(connections: number, names: readonly string[]): Promise<void> {
    const pool = this.pool();
    await closeIdle(pool);
    const statements = definedStatements().filter(({ name }) => names.includes(name));
    const settings = this.settings();
    const ours = settings ? [BEGIN, COMMIT, settings] : [BEGIN, COMMIT];
    await openPrepared(pool, Math.min(connections, pool.options.max), [...ours, ...statements]);
  }

  async inTransaction<T>(
    work: (pipeline: Pipeline, manager: EntityManager, afterCommit: AfterCommitCallbacks) => Promise<T>,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit: AfterCommitCallbacks = new Set();
    try {
      const pipeline = new Pipeline((await runner.connect()) as PoolClient, this.settings());
      join(runner, pipeline);
      const result = await inPipeline(pipeline, () => work(pipeline, runner.manager, afterCommit));
      for (const callback of afterCommit) callback();
      return result;
    } finally {
      await runner.release();
    }
  }

  private settings(): Prepared | undefined {
    const settings = transactionSettingsOf(this.pool());
    return settings && settingsOfTransaction(settings);
  }
}

async function inPipeline<T>(pipeline: Pipeline, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await pipeline.commit();
    return result;
  } catch (error) {
    await pipeline.rollback().catch(() => undefined);
    throw error;
  }
}

/** What TypeORM asks on the same connection comes after all that was asked before, and it knows of the transaction. */
function join(runner: QueryRunner, pipeline: Pipeline): void {
  const query = runner.query.bind(runner) as (...values: unknown[]) => Promise<unknown>;
  const inOrder = async (...values: unknown[]): Promise<unknown> => {
    await pipeline.arrive();
    return query(...values);
  };
  Object.assign(runner, { isTransactionActive: true, query: inOrder });
}

export class AccountDatabase extends AccountConnection {
  constructor(
    accountId: string,
    private readonly database: Database,
  ) {
    super(accountId, database.statements(), database.dataSource.manager);
  }

  /**
   * BEGIN goes with the first statement. COMMIT is one round trip, and takes along what `work` did not wait for.
   */
  transaction<T>(work: (tx: AccountTx) => Promise<T>): Promise<T> {
    return this.database.inTransaction((pipeline, manager, afterCommit) =>
      work(new AccountTx(this.accountId, pipeline, manager, afterCommit)),
    );
  }
}
