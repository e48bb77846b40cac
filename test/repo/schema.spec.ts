import { createDataSource, revertMigrations, runMigrations, snakeCase } from '#libs/database';
import { RECORDS } from '#libs/payloads';
import { DataSource, DefaultNamingStrategy, type Table } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '#test/support/database.js';

const nameOf = (table: Table | string): string => (typeof table === 'string' ? table : table.name).split('.').at(-1)!;

/** The names that PostgreSQL gives to keys of plain SQL. */
const POSTGRES_NAMES = {
  primaryKeyName: (table: Table | string) => `${nameOf(table)}_pkey`,
  foreignKeyName: (table: Table | string, columns: string[]) => `${nameOf(table)}_${columns.join('_')}_fkey`,
};

/** Indexes, and the column that triggers write for the feed of changes. */
const ONLY_IN_MIGRATIONS = /^DROP INDEX |DROP COLUMN "changed_in"$/;

const SET_ONLY_AT_FIRST = new Set(['id', 'channel', 'to_addresses', 'cc_addresses']);

describe('the schema', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    const { options } = createDataSource({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 }, 'tests');
    const namingStrategy = Object.assign(options.namingStrategy as DefaultNamingStrategy, POSTGRES_NAMES);
    dataSource = await new DataSource({ ...options, namingStrategy }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('has what the entities declare', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const missing = upQueries.map(({ query }) => query).filter((query) => !ONLY_IN_MIGRATIONS.test(query));

    expect(missing).toEqual([]);
  });

  it('can be reverted and made again', async () => {
    const tables = () =>
      dataSource.query(
        `select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`,
      );
    const before = await tables();

    await revertMigrations(dataSource, dataSource.migrations.length);
    const between = await tables();
    await runMigrations(dataSource);

    expect(between).toEqual([]);
    expect(await tables()).toEqual(before);
  });

  const columnNames = async (text: string): Promise<string[]> =>
    (await dataSource.query<{ name: string }[]>(text)).map(({ name }) => name);

  it.each([
    ['agents', RECORDS.Agent],
    ['mailboxes', RECORDS.Mailbox],
    ['messages', RECORDS.Message],
  ])('marks a change of each column of %s that the API shows', async (table, { fields }) => {
    const columns = await columnNames(
      `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0`,
    );
    const marked = await columnNames(
      `select attname as name from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any(t.tgattr)
       where tgname = '${table}_mark_update'`,
    );
    const shown = Object.values(fields).flatMap(([, value]) => (typeof value === 'string' ? [snakeCase(value)] : []));

    expect(marked).not.toEqual([]);
    expect(marked).toEqual(
      expect.arrayContaining(shown.filter((name) => columns.includes(name) && !SET_ONLY_AT_FIRST.has(name))),
    );
  });

  it('has the account in each table whose rows belong to one', async () => {
    const rows = (await dataSource.query(`
      select c.relname as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and not exists (
        select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and a.attnotnull)
      order by 1`)) as { table: string }[];

    // Applications and restores belong to the installation, throttles count strangers, and codes, tokens and visits carry
    // their account by a grant or a session.
    expect(rows.map(({ table }) => table)).toEqual([
      'accounts',
      'api_clocks',
      'applications',
      'attachment_folders',
      'authorization_codes',
      'migrations',
      'restores',
      'throttles',
      'tokens',
      'upkeep_tasks',
      'visits',
      'worker_heartbeats',
    ]);
  });
});
