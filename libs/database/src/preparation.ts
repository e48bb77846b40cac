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
  const prepared = await Promise.allSettled(
    opened.map((one) => (one.status === 'fulfilled' ? prepare(one.value, statements) : Promise.reject(one.reason))),
  );
  const failed = prepared.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
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

interface Settled {
  resolve(): void;
  reject(error: unknown): void;
}

/** One round trip. */
class Preparation implements Submittable {
  /** The client would record parsed statements under another name. */
  readonly name = '';

  constructor(
    private readonly statements: readonly Statement[],
    private readonly settled: Settled,
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
