import { createDataSource, revertMigrations, withMigrationSource, runMigrations } from '#libs/database';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

let database: TestDatabase;
let other: Client;

beforeAll(async () => {
  database = await createDatabase();
  other = new Client({ connectionString: database.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

it('a migration lets others pass while it cannot have its table, and runs when it can', async () => {
  const settings = { DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 };
  const source = await createDataSource(settings, 'tests').initialize();
  const names = source.migrations.map(({ constructor }) => constructor.name);
  const place = names.indexOf('WakeSnoozedTickets1763600037000');
  await revertMigrations(source, names.length - place);
  await other.query('begin; lock table tickets in row exclusive mode');

  const ran = withMigrationSource(settings, runMigrations);
  await eventually(() => isWaiting(source));
  expect(await source.query('select count(*)::int from tickets')).toEqual([{ count: 0 }]);
  await other.query('commit');

  expect(await ran).toEqual(names.slice(place));
  await source.destroy();
});

it('migrations have no time limit for a statement', async () => {
  const settings = { DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 };
  const [limits] = await withMigrationSource(settings, (source) =>
    source.query<unknown[]>(
      `select current_setting('statement_timeout') as all, current_setting('lock_timeout') as locks`,
    ),
  );

  expect(limits).toEqual({ all: '0', locks: '3s' });
});

async function isWaiting(source: DataSource): Promise<boolean> {
  const waiting = await source.query<unknown[]>(
    `select from pg_stat_activity where application_name = 'deskwire-migrations' and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}
