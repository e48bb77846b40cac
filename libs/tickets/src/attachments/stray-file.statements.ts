import { type AccountConnection, type SystemConnection, accountStatement, systemStatement } from '#libs/database';

export const INSERT_STRAY = accountStatement(
  'stray_file_insert',
  'insert into stray_files (account_id, id, due_at) values ($1, $2, $3)',
);

const TAKE_STRAY = accountStatement(
  'stray_file_take',
  'update stray_files set due_at = $3 where account_id = $1 and id = any($2) returning id',
);

/** Waits for a transaction that uses the files, and skips what it took. */
export async function takeStray(account: AccountConnection, ids: readonly string[], retryAt: Date): Promise<string[]> {
  return (await account.rows<{ id: string }>(TAKE_STRAY, [ids, retryAt])).map(({ id }) => id);
}

export const DELETE_STRAY = accountStatement(
  'stray_file_delete',
  'delete from stray_files where account_id = $1 and id = any($2)',
);

const TAKE_DUE_STRAY = systemStatement(
  'stray_file_take_due',
  'Upkeep removes the files of every account that no attachment names',
  `update stray_files set due_at = $2 where id = any(array(
     select id from stray_files where due_at <= $1 order by due_at limit $3 for update skip locked
   )) returning id, account_id as "accountId"`,
);

/** Postpones them, so that two workers do not remove the same file and a failure is retried. */
export const takeDueStray = (
  db: SystemConnection,
  { now, retryAt, limit }: { readonly now: Date; readonly retryAt: Date; readonly limit: number },
): Promise<{ id: string; accountId: string }[]> => db.rows(TAKE_DUE_STRAY, [now, retryAt, limit]);
