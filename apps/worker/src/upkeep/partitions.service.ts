import { Database, type SystemConnection, smallestIdAt, timeOfUuid } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../durations.js';

/** Owed deliveries are updated in place, so their pages keep free space. */
export const PARTITIONED = { events: '', deliveries: 'with (fillfactor = 45)', attempts: '' } as const;
export type PartitionedTable = keyof typeof PARTITIONED;

type Partition = TimeSpan & { readonly name: string };

/** A statement that waits for the lock blocks all others. */
const LOCK_TIMEOUT = "set local lock_timeout = '200ms'";
const LOCK_NOT_AVAILABLE = '55P03';
const CHECK_VIOLATION = '23514';

const LARGE_PARTITION_ROWS = 10_000;

@Injectable()
export class PartitionsService {
  constructor(private readonly database: Database) {}

  async list(table: PartitionedTable): Promise<Partition[]> {
    const rows = await this.query<{ name: string; bound: string }>(
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
      [table],
    );
    return rows.flatMap(({ name, bound }) => {
      const [, from, to] = /FROM \('([\da-f-]+)'\) TO \('([\da-f-]+)'\)/.exec(bound) ?? [];
      return from && to ? [{ name, from: timeOfUuid(from).getTime(), to: timeOfUuid(to).getTime() }] : [];
    });
  }

  async inDefault(table: PartitionedTable, week: TimeSpan): Promise<DefaultPartitionRows> {
    const [row] = await this.query<{ last: string | null; many: boolean }>(
      `select (select id from ${table}_default where id >= $1 and id < $2 order by id desc limit 1) as last,
         (select count(*) > $3 from (select from ${table}_default limit $3 + 1) part) as many`,
      [smallestIdAt(week.from), smallestIdAt(week.to), LARGE_PARTITION_ROWS],
    );
    return { last: row?.last ? timeOfUuid(row.last).getTime() : null, isLarge: row?.many ?? false };
  }

  async create(table: PartitionedTable, span: TimeSpan, { isLarge }: DefaultPartitionRows): Promise<boolean> {
    if (isLarge && !(await this.addEmptyCheck(table, span))) return false;
    const name = `${table}_${weekName(span)}`;
    return this.withLockTimeout(async (tx) => {
      await tx.query(`create table ${name} (like ${table} including all) ${PARTITIONED[table]}`);
      await tx.query(`alter table ${table} attach partition ${name} for values ${boundsOf(span)}`);
      await tx.query(`alter table ${table}_default drop constraint if exists ${table}_default_empty`);
    });
  }

  /** Two steps, so that removing the files does not lock the parent table. */
  async drop(table: PartitionedTable, { name }: Partition): Promise<boolean> {
    const isDetached = await this.withLockTimeout((tx) => tx.query(`alter table ${table} detach partition ${name}`));
    if (isDetached) await this.query(`drop table if exists ${name}`);
    return isDetached;
  }

  /** Cleans up after a crash between the steps. */
  async tidy(table: PartitionedTable): Promise<void> {
    const loose = await this.query<{ name: string }>(
      'select relname as name from pg_class where relname ~ $1 and not relispartition and relkind = $2',
      [`^${table}_\\d{8}$`, 'r'],
    );
    for (const { name } of loose) await this.query(`drop table if exists ${name}`);
    const promises = await this.query('select from pg_constraint where conname = $1', [`${table}_default_empty`]);
    if (promises.length > 0)
      await this.withLockTimeout((tx) =>
        tx.query(`alter table ${table}_default drop constraint ${table}_default_empty`),
      );
  }

  async purgeDefault(table: PartitionedTable, before: number, most: number): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `with gone as (
         delete from ${table}_default where id in (select id from ${table}_default where id < $1 order by id limit $2)
         returning 1)
       select count(*)::int as count from gone`,
      [smallestIdAt(before), most],
    );
    return row?.count ?? 0;
  }

  /**
   * Validates without blocking; attaching alone would scan the default partition under an exclusive lock. Nothing is
   * written into a future span.
   */
  private async addEmptyCheck(table: PartitionedTable, { from, to }: TimeSpan): Promise<boolean> {
    const promise = `${table}_default_empty check (not (id >= '${smallestIdAt(from)}' and id < '${smallestIdAt(to)}'))`;
    const isPromised = await this.withLockTimeout((tx) =>
      tx.query(`alter table ${table}_default add constraint ${promise} not valid`),
    );
    if (!isPromised) return false;
    return this.withLockTimeout((tx) =>
      tx.query(`alter table ${table}_default validate constraint ${table}_default_empty`),
    );
  }

  /** False without the lock, or if the span contains a row. */
  private async withLockTimeout(work: (tx: SystemConnection) => Promise<unknown>): Promise<boolean> {
    try {
      await this.database.systemTransaction(async (tx) => {
        await tx.query(LOCK_TIMEOUT);
        await work(tx);
      });
      return true;
    } catch (error) {
      if ([LOCK_NOT_AVAILABLE, CHECK_VIOLATION].includes((error as { code?: string }).code ?? '')) return false;
      throw error;
    }
  }

  private query<T = unknown>(text: string, parameters: unknown[] = []): Promise<T[]> {
    return this.database.system().query<T>(text, parameters);
  }
}

const boundsOf = ({ from, to }: TimeSpan): string => `from ('${smallestIdAt(from)}') to ('${smallestIdAt(to)}')`;

export const WEEK_MS = 7 * DAY_MS;

const SOME_MONDAY = Date.UTC(2024, 0, 1);

/** `to` is exclusive. */
type TimeSpan = { readonly from: number; readonly to: number };

export function weeksAhead(now: Date, count: number): TimeSpan[] {
  const first = weekStart(now.getTime());
  return Array.from({ length: count + 1 }, (_, week) => ({
    from: first + week * WEEK_MS,
    to: first + (week + 1) * WEEK_MS,
  }));
}

/** Its first rows may be in the default partition. */
export const isCovered = (week: TimeSpan, by: readonly TimeSpan[]): boolean =>
  by.some(({ from, to }) => from < week.to && to >= week.to);

interface DefaultPartitionRows {
  readonly last: number | null;
  /** A scan under a lock would block others. */
  readonly isLarge: boolean;
}

/**
 * Rows in the default partition stay there, so the span starts after them, or a day from now if rows of the week go
 * there: the declared span must stay empty.
 */
export function partitionSpan(week: TimeSpan, { last, isLarge }: DefaultPartitionRows, now: Date): TimeSpan | null {
  const isNow = week.from <= now.getTime() && now.getTime() < week.to;
  const present = isNow && (last !== null || isLarge) ? now.getTime() + DAY_MS : week.from;
  const from = Math.max(week.from, present, last === null ? 0 : last + 1);
  return from < week.to ? { from, to: week.to } : null;
}

export const weekName = ({ to }: TimeSpan): string =>
  new Date(weekStart(to - 1)).toISOString().slice(0, 10).replaceAll('-', '');

const weekStart = (ms: number): number => ms - ((((ms - SOME_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS);
