import { type SystemConnection, smallestIdAt, timeOfUuid } from '#libs/database';
import { type DefaultPartitionRows, type TimeSpan, weekName } from './partition-weeks.js';

/** The fillfactor leaves room for the update that settles each delivery. */
export const PARTITIONED = { events: '', deliveries: 'with (fillfactor = 45)', attempts: '' } as const;
export type PartitionedTable = keyof typeof PARTITIONED;

export type Partition = TimeSpan & { readonly name: string };

const LARGE_PARTITION_ROWS = 10_000;

export async function findPartitions(db: SystemConnection, table: PartitionedTable): Promise<Partition[]> {
  const rows = await db.query<{ name: string; bound: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.flatMap(({ name, bound }) => {
    const [, from, to] = /FROM \('([\da-f-]+)'\) TO \('([\da-f-]+)'\)/.exec(bound) ?? [];
    return from && to ? [{ name, from: timeOfUuid(from).getTime(), to: timeOfUuid(to).getTime() }] : [];
  });
}

export async function readDefaultRows(
  db: SystemConnection,
  table: PartitionedTable,
  week: TimeSpan,
): Promise<DefaultPartitionRows> {
  const [row] = await db.query<{ last: string | null; many: boolean }>(
    `select (select id from ${table}_default where id >= $1 and id < $2 order by id desc limit 1) as last,
       (select count(*) > $3 from (select from ${table}_default limit $3 + 1) part) as many`,
    [smallestIdAt(week.from), smallestIdAt(week.to), LARGE_PARTITION_ROWS],
  );
  return { last: row?.last ? timeOfUuid(row.last).getTime() : null, isLarge: row?.many ?? false };
}

export async function createPartition(tx: SystemConnection, table: PartitionedTable, span: TimeSpan): Promise<void> {
  const name = `${table}_${weekName(span)}`;
  const bounds = `from ('${smallestIdAt(span.from)}') to ('${smallestIdAt(span.to)}')`;
  await tx.query(`create table ${name} (like ${table} including all) ${PARTITIONED[table]}`);
  await tx.query(`alter table ${table} attach partition ${name} for values ${bounds}`);
  await tx.query(`alter table ${table}_default drop constraint if exists ${table}_default_empty`);
}

/** States that the default partition has no row in the span. Not validated yet. */
export function addEmptyCheck(tx: SystemConnection, table: PartitionedTable, { from, to }: TimeSpan) {
  const check = `check (not (id >= '${smallestIdAt(from)}' and id < '${smallestIdAt(to)}'))`;
  return tx.query(`alter table ${table}_default add constraint ${table}_default_empty ${check} not valid`);
}

export const validateEmptyCheck = (tx: SystemConnection, table: PartitionedTable) =>
  tx.query(`alter table ${table}_default validate constraint ${table}_default_empty`);

export const dropEmptyCheck = (tx: SystemConnection, table: PartitionedTable) =>
  tx.query(`alter table ${table}_default drop constraint ${table}_default_empty`);

export async function hasEmptyCheck(db: SystemConnection, table: PartitionedTable): Promise<boolean> {
  const checks = await db.query('select from pg_constraint where conname = $1', [`${table}_default_empty`]);
  return checks.length > 0;
}

export const detachPartition = (tx: SystemConnection, table: PartitionedTable, name: string) =>
  tx.query(`alter table ${table} detach partition ${name}`);

export const dropPartition = (db: SystemConnection, name: string) => db.query(`drop table if exists ${name}`);

export async function findDetachedPartitions(db: SystemConnection, table: PartitionedTable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    'select relname as name from pg_class where relname ~ $1 and not relispartition and relkind = $2',
    [`^${table}_\\d{8}$`, 'r'],
  );
  return rows.map(({ name }) => name);
}

export async function deleteDefaultRows(
  db: SystemConnection,
  table: PartitionedTable,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with deleted as (
       delete from ${table}_default where id in (select id from ${table}_default where id < $1 order by id limit $2)
       returning 1)
     select count(*)::int as count from deleted`,
    [smallestIdAt(before), limit],
  );
  return row?.count ?? 0;
}
