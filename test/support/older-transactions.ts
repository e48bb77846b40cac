import type { Client as PgClient } from 'pg';
import { eventually } from './eventually.js';

/** Feeds of events and changes wait for every open transaction on the same server, including those of other tests. */
export async function olderTransactionsEnd(sql: PgClient): Promise<void> {
  const { rows } = await sql.query<{ id: string }>('select pg_current_xact_id()::text as id');
  const over = 'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as over';
  await eventually(async () => (await sql.query<{ over: boolean }>(over, [rows[0]!.id])).rows[0]!.over);
}
