import type { Client as PgClient } from 'pg';

/** Every row of an account, as text, by table: each table with the account's id, and its own row. */
export type AccountRows = Readonly<Record<string, readonly string[]>>;

export async function accountRowsOf(sql: PgClient, accountId: string): Promise<AccountRows> {
  const { rows: tables } = await sql.query<{ name: string; account: string }>(`
    select c.relname as name, a.attname as account from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid
        and a.attname = case when c.relname = 'accounts' then 'id' else 'account_id' end
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  const kept: Record<string, string[]> = {};
  for (const { name, account } of tables) {
    const { rows } = await sql.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${name} t where ${account} = $1 order by 1`,
      [accountId],
    );
    kept[name] = rows.map(({ row }) => row);
  }
  return kept;
}

/** The last row of each table, because other rows may depend on the first. */
export const idsOf = (rows: AccountRows): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([table, kept]) => {
      const { id } = JSON.parse(kept.at(-1) ?? '{}') as { id?: unknown };
      return typeof id === 'string' ? [[table, id]] : [];
    }),
  );

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

export const allIdsIn = (rows: AccountRows): string[] => [
  ...new Set(
    Object.values(rows)
      .flat()
      .flatMap((row) => row.match(UUID) ?? []),
  ),
];
