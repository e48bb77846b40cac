import type { Client as PgClient } from 'pg';

/** Everything that is kept of an account, table by table: as a count and a fingerprint. */
export async function rowsOf(sql: PgClient, accountId: string): Promise<Record<string, string>> {
  const { rows: tables } = await sql.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  const kept: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql.query<{ kept: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as kept
       from ${name} t where account_id = $1`,
      [accountId],
    );
    kept[name] = rows[0]!.kept;
  }
  return kept;
}
