import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountConnection, AccountTx, type AfterCommitCallbacks, SystemConnection } from './connection.js';

/** The one door to PostgreSQL: either for one account, or over all of them with a stated reason. */
@Injectable()
export class Database {
  constructor(@InjectDataSource() readonly dataSource: DataSource) {}

  account(accountId: string): AccountDatabase {
    return new AccountDatabase(accountId, this);
  }

  system(): SystemConnection {
    return new SystemConnection(this.pool(), this.dataSource.manager);
  }

  systemTransaction<T>(work: (tx: SystemConnection) => Promise<T>): Promise<T> {
    return this.inTransaction((client, manager, afterCommit) =>
      work(new SystemConnection(client, manager, afterCommit)),
    );
  }

  /** TypeORM's pool, for statements that are prepared by name. */
  pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  async inTransaction<T>(
    work: (client: PoolClient, manager: EntityManager, afterCommit: AfterCommitCallbacks) => Promise<T>,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit: AfterCommitCallbacks = new Set();
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const result = await work(client, runner.manager, afterCommit);
      await runner.commitTransaction();
      for (const callback of afterCommit) callback();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}

export class AccountDatabase extends AccountConnection {
  constructor(
    accountId: string,
    private readonly database: Database,
  ) {
    super(accountId, database.pool(), database.dataSource.manager);
  }

  /** BEGIN and COMMIT are two round trips on top of what `work` asks. */
  transaction<T>(work: (tx: AccountTx) => Promise<T>): Promise<T> {
    return this.database.inTransaction((client, manager, afterCommit) =>
      work(new AccountTx(this.accountId, client, manager, afterCommit)),
    );
  }
}
