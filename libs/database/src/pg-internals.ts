import type { Socket } from 'node:net';
import type { Client, Connection, Pool } from 'pg';
// @ts-expect-error pg ships no types for this file.
import utils from 'pg/lib/utils.js';

/*
 * Undocumented parts of pg that this library uses. pg-internals.spec.ts checks the installed version. Sources:
 * https://github.com/brianc/node-postgres/tree/master/packages/pg/lib
 */

/** pg’s own queries use it (utils.js). */
export const prepareValue = utils.prepareValue as (value: unknown) => Buffer | string | null;

interface PreparedStatements {
  /** Sent for parsing, by statement name. */
  readonly submittedNamedStatements: Record<string, string>;
  /** Parsed by PostgreSQL. */
  readonly parsedStatements: Record<string, string | undefined>;
}

/** pg believes them prepared on this connection (connection.js, query.js). */
export const preparedStatementsOf = (connection: Connection): PreparedStatements =>
  connection as unknown as PreparedStatements;

/** Waits for a response (client.js). */
export const isWaiting = (client: Client): boolean =>
  !(client as unknown as { readonly readyForQuery: boolean }).readyForQuery;

export const socketOf = (client: Client): Socket => client.connection.stream as Socket;

/** An unresponsive server would not respond to a goodbye. */
export const destroyConnection = (client: Client): void => void socketOf(client).destroy();

/** Includes errors of queries (connection.js). */
export function onServerError(client: Client, listener: (code: string | undefined) => void): void {
  client.connection.on('errorMessage', ({ code }: { readonly code?: string }) => listener(code));
}

/** client.js reads both when it connects. */
export const setHost = (client: Client, host: { readonly host: string; readonly port: number }): void =>
  void Object.assign(client, host);

/** pg-pool reads it for each connection (pg-pool/index.js). */
export const setMaxConnections = (pool: Pool, max: number): void => {
  pool.options.max = max;
};
