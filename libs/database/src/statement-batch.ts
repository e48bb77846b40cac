import { type Connection, Query, type QueryResult, type Submittable } from 'pg';
import type { Prepared } from './statements.js';

/** A statement, and who hears what became of it. */
export interface Asked extends Prepared {
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** What pg's client calls on a query while it is being answered. */
interface PgQuery {
  readonly name: string;
  readonly text: string;
  submit(connection: Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

/** What the client keeps in mind of a connection: the names that it has sent, and those that were prepared. */
interface PreparedNames {
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string | undefined>;
}

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
  private readonly queries: PgQuery[];
  /** How many are answered. */
  private answered = 0;
  /** Why one could not be sent, nor any after it. */
  private refused: unknown;

  constructor(readonly statements: readonly Asked[]) {
    this.queries = statements.map((one) => this.queryOf(one));
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
      const silent = withoutEnds(connection);
      for (const query of this.queries) {
        const error = query.submit(silent);
        if (error) this.refused = error;
        if (this.refused) break;
      }
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.current.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.current.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.current.handleCommandComplete(message, connection);
    this.answered += 1;
  }

  handleReadyForQuery(connection: Connection): void {
    this.settle(connection, this.refused);
  }

  /** Of the one that is being answered, or of the connection. Those behind it were not done. */
  handleError(error: unknown, connection: Connection): void {
    const { submittedNamedStatements, parsedStatements } = connection as unknown as PreparedNames;
    for (const { name } of this.queries.slice(this.answered)) {
      delete submittedNamedStatements[name];
      if (parsedStatements[name] === undefined) doubtfulOf(connection).add(name);
    }
    this.settle(connection, error);
  }

  private settle(connection: Connection, error: unknown): void {
    for (const query of this.queries.slice(0, this.answered)) query.handleReadyForQuery(connection);
    for (const { reject } of this.statements.slice(this.answered)) reject(error);
  }

  /** Only a name is ever asked for after the last answer. */
  private get current(): PgQuery {
    return this.queries[Math.min(this.answered, this.queries.length - 1)]!;
  }

  private queryOf({ name, text, values, resolve, reject }: Asked): PgQuery {
    const config = { name, text, values, queryMode: 'extended' };
    const query = new Query(config, undefined, ((error: Error | undefined, result: QueryResult) => {
      if (!error) return resolve(result);
      // PostgreSQL's own errors end the batch. This is about values that cannot be written down, or not be read.
      this.refused ??= error;
      reject(error);
    }) as never);
    return query as unknown as PgQuery;
  }
}

/**
 * A query of pg ends itself with a Sync. One whose values cannot be written down also drops its prepared statement, which
 * the connection still keeps in mind.
 */
function withoutEnds(connection: Connection): Connection {
  const nothing = { value: () => undefined };
  return Object.create(connection, { sync: nothing, close: nothing }) as Connection;
}
