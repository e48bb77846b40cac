import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import {
  AccountConnection,
  AccountTx,
  type Precondition,
  type Queryable,
  SystemConnection,
  SystemTx,
} from './connection.js';
import { transactionSettingsOf } from './data-source.js';
import { Pipeline } from './pipeline.js';
import { StatementBatch } from './statement-batch.js';
import { BEGIN, COMMIT, type Prepared, definedStatements } from './statements.js';
import { joinTransaction, poolOf } from './typeorm-internals.js';
import { closeIdle, openPrepared } from './warm-pool.js';

export type AccountScope = { readonly accountId: string; readonly precondition?: Precondition | undefined };

/** For one account, or for all with a stated reason. */
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

  statements(): Queryable {
    return new SingleStatements(this.pool());
  }

  pool(): Pool {
    return poolOf(this.dataSource);
  }

  /**
   * PostgreSQL plans a statement by its first executions on a connection, so those of a warm-up must not be among them.
   */
  async renew(connections: number, names: readonly string[]): Promise<void> {
    const pool = this.pool();
    await closeIdle(pool);
    const statements = definedStatements().filter(({ name }) => names.includes(name));
    const own = [BEGIN, COMMIT, transactionSettingsOf(pool)].filter((statement) => statement !== undefined);
    await openPrepared(pool, Math.min(connections, pool.options.max), [...own, ...statements]);
  }

  async inTransaction<T>(
    work: (pipeline: Pipeline, manager: EntityManager, afterCommit: Set<() => void>) => Promise<T>,
    precondition?: Precondition,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit = new Set<() => void>();
    try {
      const pipeline = new Pipeline((await runner.connect()) as PoolClient, transactionSettingsOf(this.pool()));
      if (precondition) pipeline.require(precondition);
      joinTransaction(runner, () => pipeline.settle());
      const result = await commitOrRollBack(pipeline, () => work(pipeline, runner.manager, afterCommit));
      for (const callback of afterCommit) callback();
      return result;
    } finally {
      await runner.release();
    }
  }
}

async function commitOrRollBack<T>(pipeline: Pipeline, work: () => Promise<T>): Promise<T> {
  try {
    const result = await permitted(pipeline, work);
    await pipeline.commit();
    return result;
  } catch (error) {
    await pipeline.rollback().catch(() => undefined);
    throw error;
  }
}

/** A failed precondition hides the error that the work met. */
async function permitted<T>(pipeline: Pipeline, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await pipeline.permitted();
  }
}

export class AccountDatabase extends AccountConnection {
  constructor(
    accountId: string,
    private readonly database: Database,
  ) {
    super(accountId, database.statements(), database.dataSource.manager);
  }

  transaction<T>(work: (tx: AccountTx) => Promise<T>, precondition?: Precondition): Promise<T> {
    return this.database.inTransaction(
      (pipeline, manager, afterCommit) => work(new AccountTx(this.accountId, pipeline, manager, afterCommit)),
      precondition,
    );
  }
}

class SingleStatements implements Queryable {
  constructor(private readonly pool: Pool) {}

  /** Behind a pooler, the settings go with each statement: a batch is one transaction, so they do not outlive it. */
  async query(statement: Prepared): Promise<QueryResult> {
    const settings = transactionSettingsOf(this.pool);
    const client = await this.pool.connect();
    try {
      const result = await new Promise<QueryResult>((resolve, reject) => {
        const pending = { ...statement, resolve, reject };
        client.query(
          new StatementBatch(settings ? [{ ...settings, resolve: () => undefined, reject }, pending] : [pending]),
        );
      });
      client.release();
      return result;
    } catch (error) {
      // The connection may be the cause. The pool also closes it after an error of its own queries.
      client.release(error as Error);
      throw error;
    }
  }
}
