import { type AccountConnection, type SystemConnection, accountStatement, systemStatement } from '#libs/database';

const NOTE = systemStatement(
  'restore_note',
  'The history of the whole database is another one',
  'insert into restores (noted_at) values ($1)',
);

/** From now on it is another history: cursors that were given out before are refused. */
export async function noteRestore(db: SystemConnection, now: Date): Promise<void> {
  await db.rows(NOTE, [now]);
}

const RENUMBER = accountStatement(
  'restore_renumber_events',
  `with renumbered as (
     update events set transaction_id = 0
     where account_id = $1 and transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint returning 1
   ) select count(*)::int as count from renumbered`,
);

/**
 * A dump keeps the numbers that transactions had elsewhere. Where those have not been reached here, the feed would not
 * show the events until they are. Gives how many there were.
 */
export async function renumberEvents(account: AccountConnection): Promise<number> {
  return (await account.row<{ count: number }>(RENUMBER))!.count;
}
