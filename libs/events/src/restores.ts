import { type AccountConnection, type SystemConnection, accountStatement, systemStatement } from '#libs/database';

const NOTE = systemStatement(
  'restore_note',
  'The history of the whole database is another one',
  'insert into restores (noted_at) values ($1)',
);

/** Starts a new history: cursors issued before are refused. */
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
 * A restored dump keeps transaction numbers of the old server. The feed would hide its events until this server reaches
 * those numbers. Returns how many events were renumbered.
 */
export async function renumberEvents(account: AccountConnection): Promise<number> {
  return (await account.row<{ count: number }>(RENUMBER))!.count;
}
