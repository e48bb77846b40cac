import type { Connection, QueryResult, Submittable } from 'pg';
import { preparedStatementsOf } from './pg-internals.js';
import { type PendingStatement, PreparedQuery } from './prepared-query.js';
import { COMMIT } from './statements.js';

/**
 * Sent by a failed batch but not prepared. PgBouncer closes the connection if they are sent again, so they are closed
 * first.
 */
const doubtfulNames = new WeakMap<Connection, Set<string>>();

/**
 * All share one Sync, so PostgreSQL skips the statements after a failed one: a COMMIT at the end only runs if all
 * before it succeeded. The pipelining of pg sends a Sync after each and would run that COMMIT. pg calls the `handle…`
 * methods as for its own queries: https://github.com/brianc/node-postgres/blob/master/packages/pg/lib/query.js
 */
export class StatementBatch implements Submittable {
  private readonly queries: PreparedQuery[];
  private answered = 0;
  /** Later statements were not sent. */
  private unsendable: unknown;

  constructor(readonly statements: readonly PendingStatement[]) {
    this.queries = statements.map((one) => new PreparedQuery(one));
  }

  /** At each ParseComplete, pg reads name and text and records that statement as prepared. */
  get name(): string {
    return this.current.name;
  }

  get text(): string {
    return this.current.text;
  }

  submit(connection: Connection): null {
    connection.stream.cork();
    try {
      for (const name of doubtfulNames.get(connection) ?? []) connection.close({ type: 'S', name }, true);
      doubtfulNames.delete(connection);
      for (const query of this.queries) {
        this.unsendable = query.submit(connection);
        if (this.unsendable) break;
      }
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription({ fields }: Pick<QueryResult, 'fields'>): void {
    this.current.describe(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.current.read(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.current.complete(text);
    this.answered += 1;
  }

  handleReadyForQuery(): void {
    this.settle(this.answered, this.unsendable);
  }

  handleError(error: unknown, connection: Connection): void {
    const { submittedNamedStatements, parsedStatements } = preparedStatementsOf(connection);
    const doubtful = this.queries.map(({ name }) => name).filter((name) => parsedStatements[name] === undefined);
    for (const name of doubtful) delete submittedNamedStatements[name];
    doubtfulNames.set(connection, new Set(doubtful));
    // Outside a transaction, PostgreSQL answers each statement first and commits at the Sync.
    const committed = this.queries.slice(0, this.answered).findLastIndex(({ name }) => name === COMMIT.name) + 1;
    this.settle(committed, error);
  }

  private settle(successes: number, error: unknown): void {
    for (const [place, query] of this.queries.entries()) {
      if (place < successes) query.settle();
      else query.reject(error);
    }
  }

  /** pg reads the name even after the last response. */
  private get current(): PreparedQuery {
    return this.queries[Math.min(this.answered, this.queries.length - 1)]!;
  }
}
