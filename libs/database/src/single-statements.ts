import type { Pool, QueryResult } from 'pg';
import type { Queryable } from './connection.js';
import { StatementBatch } from './statement-batch.js';
import type { Prepared } from './statements.js';

/**
 * Statements outside of transactions, each a transaction of its own and one round trip. Where a pooler shares the sessions
 * among clients, `settings` go before each: what is sent in one piece is one transaction, so they are gone after it.
 */
export class SingleStatements implements Queryable {
  constructor(
    private readonly pool: Pool,
    private readonly settings?: Prepared,
  ) {}

  async query(statement: Prepared): Promise<QueryResult> {
    const client = await this.pool.connect();
    try {
      const result = await new Promise<QueryResult>((resolve, reject) => {
        const asked = { ...statement, resolve, reject };
        const { settings } = this;
        client.query(
          new StatementBatch(settings ? [{ ...settings, resolve: () => undefined, reject }, asked] : [asked]),
        );
      });
      client.release();
      return result;
    } catch (error) {
      // As the pool does with its own queries: the connection may be the reason.
      client.release(error as Error);
      throw error;
    }
  }
}
