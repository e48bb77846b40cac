import type { Connection, QueryResult, Submittable } from 'pg';
import { type Asked, PreparedQuery, type PreparedNames } from './prepared-query.js';

/**
 * Names that a failed batch may have left behind: PostgreSQL has not prepared them, but PgBouncer remembers that they were
 * sent, and ends the connection when they come again. So they are closed first.
 */
const doubtful = new WeakMap<Connection, Set<string>>();

function doubtfulOf(connection: Connection): Set<string> {
  const names = doubtful.get(connection) ?? new Set();
  doubtful.set(connection, names);
  return names;
}

function forgetDoubtful(connection: Connection): Iterable<string> {
  const names = doubtful.get(connection) ?? [];
  doubtful.delete(connection);
  return names;
}

/**
 * Statements that are sent in one piece and answered in one piece: one round trip, however many they are. There is one
 * Sync for all of them, so PostgreSQL skips what comes after one that failed: a COMMIT at the end happens only after
 * everything before it. pg's own pipelining has a Sync for each statement, and would run that COMMIT.
 */
export class StatementBatch implements Submittable {
  private readonly queries: PreparedQuery[];
  /** How many are answered. */
  private answered = 0;
  /** Why one could not be sent, nor any after it. */
  private refused: unknown;

  constructor(readonly statements: readonly Asked[]) {
    this.queries = statements.map((one) => new PreparedQuery(one));
  }

  /** The client keeps in mind under this name that a statement is prepared, or is not. */
  get name(): string {
    return this.current.name;
  }

  get text(): string {
    return this.current.text;
  }

  submit(connection: Connection): null {
    connection.stream.cork();
    try {
      for (const name of forgetDoubtful(connection)) connection.close({ type: 'S', name }, true);
      for (const query of this.queries) {
        this.refused = query.submit(connection);
        if (this.refused) break;
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
    this.settle(this.refused);
  }

  /** Of the one that is being answered, or of the connection. Those behind it were not done. */
  handleError(error: unknown, connection: Connection): void {
    const { submittedNamedStatements, parsedStatements } = connection as unknown as PreparedNames;
    for (const { name } of this.queries.slice(this.answered)) {
      delete submittedNamedStatements[name];
      if (parsedStatements[name] === undefined) doubtfulOf(connection).add(name);
    }
    this.settle(error);
  }

  private settle(error: unknown): void {
    for (const query of this.queries.slice(0, this.answered)) query.settle();
    for (const query of this.queries.slice(this.answered)) query.reject(error);
  }

  /** Only a name is ever asked for after the last answer. */
  private get current(): PreparedQuery {
    return this.queries[Math.min(this.answered, this.queries.length - 1)]!;
  }
}
