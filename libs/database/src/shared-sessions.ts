import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Queryable } from './connection.js';
import { StatementBatch } from './statement-batch.js';
import type { Prepared } from './statements.js';

/**
 * Statements outside of transactions, over sessions that a pooler shares among clients. What is sent in one piece is one
 * transaction, so the settings go before the statement and are gone after it. One round trip, as without a pooler.
 */
export class SharedSessions implements Queryable {
  constructor(
    private readonly pool: Pool,
    private readonly settings: Prepared,
  ) {}

  async query(statement: Prepared): Promise<QueryResult> {
    const client = await this.pool.connect();
    try {
      const result = await askWith(client, this.settings, statement);
      client.release();
      return result;
    } catch (error) {
      // As the pool does with its own queries: the connection may be the reason.
      client.release(error as Error);
      throw error;
    }
  }
}

function askWith(client: PoolClient, settings: Prepared, statement: Prepared): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(
      new StatementBatch([
        { ...settings, resolve: () => undefined, reject },
        { ...statement, resolve, reject },
      ]),
    );
  });
}
