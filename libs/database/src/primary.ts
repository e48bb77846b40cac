import { Client } from 'pg';
import { destroyConnection } from './pg-internals.js';

const TIMEOUT_MS = 3_000;

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** Called for each connection, because of failovers. */
export async function findPrimary(urls: readonly string[]): Promise<Host> {
  try {
    return await Promise.any(urls.map(hostThatTakesWrites));
  } catch (error) {
    const { errors } = error as AggregateError;
    const reasons = errors.map(({ message }: Error) => message).join('; ');
    throw new Error(`There is no connection to a PostgreSQL that takes writes: ${reasons}`, { cause: error });
  }
}

async function hostThatTakesWrites(url: string): Promise<Host> {
  const client = new Client({
    connectionString: url,
    application_name: 'deskwire-primary',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // The failed query reports it too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    const { host, port } = client;
    if (rows[0]?.transaction_read_only === 'off') return { host, port };
    throw new Error(`${host}:${port} takes no writes`);
  } finally {
    destroyConnection(client);
  }
}
