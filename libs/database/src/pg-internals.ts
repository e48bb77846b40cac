import type { Socket } from 'node:net';
import type { Client, Connection, Pool } from 'pg';
// @ts-expect-error pg ships no types for this file.
import utils from 'pg/lib/utils.js';

/*
 * Everything that this library uses of pg without its documentation saying so. pg-internals.spec.ts checks it against the
 * installed version. Sources: https://github.com/brianc/node-postgres/tree/master/packages/pg/lib
 */

/** Serializes a parameter as the queries of pg do (utils.js). */
export const prepareValue = utils.prepareValue as (value: unknown) => Buffer | string | null;

interface PreparedStatements {
  /** Texts that were sent for parsing, by the name of the statement. */
  readonly submittedNamedStatements: Record<string, string>;
  /** Texts that PostgreSQL has parsed. */
  readonly parsedStatements: Record<string, string | undefined>;
}

/** The statements that pg believes are prepared on this connection (connection.js, query.js). */
export const preparedStatementsOf = (connection: Connection): PreparedStatements =>
  connection as unknown as PreparedStatements;

/** Returns whether the client waits for an answer (client.js). */
export const isWaiting = (client: Client): boolean =>
  !(client as unknown as { readonly readyForQuery: boolean }).readyForQuery;

export const socketOf = (client: Client): Socket => client.connection.stream as Socket;

/** Closes a connection without the goodbye of the protocol, which an unresponsive server would not answer. */
export const destroyConnection = (client: Client): void => void socketOf(client).destroy();

/** Calls `listener` with the code of each error that the server sends, also of queries (connection.js). */
export function onServerError(client: Client, listener: (code: string | undefined) => void): void {
  client.connection.on('errorMessage', ({ code }: { readonly code?: string }) => listener(code));
}

/** Changes where the client will connect to (client.js reads both when it connects). */
export const setHost = (client: Client, host: { readonly host: string; readonly port: number }): void =>
  void Object.assign(client, host);

/** Changes how many connections a pool may open. pg-pool reads it for each connection (pg-pool/index.js). */
export const setMaxConnections = (pool: Pool, max: number): void => {
  pool.options.max = max;
};
