import type { Connection, Pool, PoolClient, Submittable } from 'pg';
import type { Statement } from './statements.js';

export async function closeIdle(pool: Pool): Promise<void> {
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of idle) client.release(true);
}

/** Opens so many connections of the pool, each with these statements prepared. Nothing is asked, and nothing written. */
export async function openPrepared(pool: Pool, count: number, statements: readonly Statement[]): Promise<void> {
  // Held all at once, because the pool would give the same connection again.
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
    // Some of them may be prepared without the client knowing it.
    client.release(true);
    throw error;
  }
}

interface Settled {
  resolve(): void;
  reject(error: unknown): void;
}

/** In one round trip. */
class Preparation implements Submittable {
  /** The client would take whatever is parsed for this one statement. */
  readonly name = '';

  constructor(
    private readonly statements: readonly Statement[],
    private readonly settled: Settled,
  ) {}

  submit(connection: Connection): null {
    connection.stream.cork();
    for (const { name, text } of this.statements) connection.parse({ name, text, types: [] }, true);
    (connection as unknown as { sync(): void }).sync();
    connection.stream.uncork();
    return null;
  }

  handleReadyForQuery(connection: Connection): void {
    const { parsedStatements } = connection as unknown as { parsedStatements: Record<string, string> };
    for (const { name, text } of this.statements) parsedStatements[name] = text;
    this.settled.resolve();
  }

  handleError(error: unknown): void {
    this.settled.reject(error);
  }
}
