import { systemStatement } from '../statements.js';

/**
 * A place in PostgreSQL's log of changes, written so that a later one is greater as a text. Whoever has read the log up to
 * there has everything that was committed before it.
 */
export type WalPosition = string & { readonly __walPosition: never };

/** Before everything: whoever may read from here on has written nothing lately. */
export const WAL_START = '0'.repeat(16) as WalPosition;

/** PostgreSQL writes `16/B374D848`. */
export function walPosition(lsn: string): WalPosition {
  const [high = '', low = ''] = lsn.toUpperCase().split('/');
  return `${high.padStart(8, '0')}${low.padStart(8, '0')}` as WalPosition;
}

export const bytesBetween = (from: WalPosition, to: WalPosition): number =>
  Number(BigInt(`0x${to}`) - BigInt(`0x${from}`));

/** No server has it. */
export const WAL_UNKNOWN = 'F'.repeat(16) as WalPosition;

/** Not before any commit that was answered, whether or not it waited for the disk. Only a primary has an answer. */
export const POSITION_OF_COMMITS = systemStatement(
  'replica_commits',
  'It reads no row',
  'select pg_current_wal_insert_lsn()::text as lsn',
);

/** What can have reached a replica. Only a primary has an answer. */
export const POSITION_ON_DISK = systemStatement(
  'replica_primary',
  'It reads no row',
  'select pg_current_wal_flush_lsn()::text as lsn',
);

/** How far a server is that may be a replica, or a primary by now. */
export const REACHED = `case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn()::text, '0/0')
  else pg_current_wal_flush_lsn()::text end`;
