import type { Connection, Pool, PoolClient, Submittable } from 'pg';
import { preparedStatementsOf } from './pg-internals.js';
import type { Statement } from './statements.js';

export async function closeIdle(pool: Pool): Promise<void> {
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of idle) client.release(true);
}

export async function openPrepared(pool: Pool, count: number, statements: readonly Statement[]): Promise<void> {
  // The pool would hand out a released connection again.
  const opened = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()));
  await Promise.all(
    opened.map((one) => (one.status === 'fulfilled' ? prepare(one.value, statements) : Promise.reject(one.reason))),
  );
}

async function prepare(client: PoolClient, statements: readonly Statement[]): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => client.query(new Preparation(statements, { resolve, reject })));
    client.release();
  } catch (error) {
    // Statements may be prepared without the client knowing it.
    client.release(true);
    throw error;
  }
}

/** One round trip. Without a name, under which the client would record all parsed statements. */
class Preparation implements Submittable {
  constructor(
    private readonly statements: readonly Statement[],
    private readonly settled: { resolve(): void; reject(error: unknown): void },
  ) {}

  submit(connection: Connection): null {
    connection.stream.cork();
    for (const { name, text } of this.statements) connection.parse({ name, text, types: [] }, true);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleReadyForQuery(connection: Connection): void {
    const { parsedStatements } = preparedStatementsOf(connection);
    for (const { name, text } of this.statements) parsedStatements[name] = text;
    this.settled.resolve();
  }

  handleError(error: unknown): void {
    this.settled.reject(error);
  }
}
