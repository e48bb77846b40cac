import { type AccountConnection, type AccountStatement } from '#libs/database';

/** Loads records in the order of their ids. Leaves out records deleted since the ids were read. */
export async function loadInOrder<T extends { id: string }>(
  connection: AccountConnection,
  statement: AccountStatement,
  ids: readonly string[],
  read: (row: Record<string, unknown>) => T | null,
  /** Parameters of the statement after the ids. */
  values: readonly unknown[] = [],
): Promise<T[]> {
  if (ids.length === 0) return [];
  const rows = await connection.rows(statement, [ids, ...values]);
  const records = new Map(rows.map((row) => read(row)).map((record) => [record?.id, record]));
  return ids.flatMap((id) => records.get(id) ?? []);
}
