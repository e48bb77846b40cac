import { Client } from 'pg';
import { connectionOptions } from '../connection-options.js';
import type { Database } from '../database.js';
import { POSITION_ON_DISK, REACHED, type WalPosition, bytesBetween, walPosition } from './wal-position.js';

const ANSWER_WITHIN_MS = 3_000;

export interface ReplicaState {
  /** It takes no writes. */
  readonly isStandby: boolean;
  readonly missingBytes: number;
  /** How long ago the last commit was that it has. Null where it has none since it was started. */
  readonly lastCommitMs: number | null;
}

/** How far a replica is behind the primary, as seen once. */
export async function inspectReplica(url: string, primary: Database): Promise<ReplicaState> {
  const committed = walPosition((await primary.system().row<{ lsn: string }>(POSITION_ON_DISK))!.lsn);
  const client = new Client({
    ...connectionOptions(url),
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask(client, committed);
  } finally {
    client.connection.stream.destroy();
  }
}

async function ask(client: Client, committed: WalPosition): Promise<ReplicaState> {
  const { rows } = await client.query<{ lsn: string; standby: boolean; ms: number | null }>(
    `select ${REACHED} as lsn, pg_is_in_recovery() as standby,
       (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 as ms`,
  );
  const { lsn, standby, ms } = rows[0]!;
  return {
    isStandby: standby,
    missingBytes: Math.max(0, bytesBetween(walPosition(lsn), committed)),
    lastCommitMs: ms,
  };
}
