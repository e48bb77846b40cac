import type { Client as PgClient } from 'pg';
import { eventually } from './eventually.js';

/** What follows events or changes is held back by whatever still writes on the same server, other tests included. */
export async function olderTransactionsEnd(sql: PgClient): Promise<void> {
  const { rows } = await sql.query<{ id: string }>('select pg_current_xact_id()::text as id');
  const over = 'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as over';
  await eventually(async () => (await sql.query<{ over: boolean }>(over, [rows[0]!.id])).rows[0]!.over);
}
