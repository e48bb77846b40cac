import { type AccountConnection, type AccountStatement } from '#libs/database';

/** One round trip for the records of a page, in the order of their ids. What has gone meanwhile is left out. */
export async function loadInOrder<T extends { id: string }>(
  connection: AccountConnection,
  statement: AccountStatement,
  ids: readonly string[],
  read: (row: Record<string, unknown>) => T | null,
  /** For the statement, after the ids. */
  values: readonly unknown[] = [],
): Promise<T[]> {
  if (ids.length === 0) return [];
  const rows = await connection.rows(statement, [ids, ...values]);
  const records = new Map(rows.map((row) => read(row)).map((record) => [record?.id, record]));
  return ids.flatMap((id) => records.get(id) ?? []);
}
