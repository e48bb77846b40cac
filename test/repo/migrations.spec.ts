import {
  type MigrationInterface,
  type QueryRunner,
  createDataSource,
  runMigrations,
  withMigrationSource,
} from '#libs/database';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { createDatabase, type TestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

class AddColour1800000000000 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => runner.query('alter table tickets add colour text');
  down = (runner: QueryRunner): Promise<void> => runner.query('alter table tickets drop colour');
}

let database: TestDatabase;
let dataSource: DataSource;
let other: Client;

beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource(settings(), 'tests').initialize();
  other = new Client({ connectionString: database.url });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await dataSource.destroy();
  await database.drop();
});

const settings = () => ({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 });
const operator = (words: string[]) => runCli(words, { NODE_ENV: 'test', DATABASE_URL: database.url });

describe('a migration', () => {
  it('waits for its table without blocking others', async () => {
    await other.query('begin; lock table tickets in row exclusive mode');

    const ran = runNextMigration();
    await eventually(isWaitingForLock);
    expect(await dataSource.query('select count(*)::int from tickets')).toEqual([{ count: 0 }]);
    await other.query('commit');

    expect(await ran).toEqual([AddColour1800000000000.name]);
  });

  it('reports the reason when it fails, and runs once the cause is fixed', async () => {
    await other.query('alter table tickets rename to hidden_tickets');
    await expect(runNextMigration()).rejects.toThrow(
      `The migration ${AddColour1800000000000.name} failed: relation "tickets" does not exist.`,
    );

    await other.query('alter table hidden_tickets rename to tickets');
    expect(await runNextMigration()).toEqual([AddColour1800000000000.name]);
  });

  it('has no time limit for a statement', async () => {
    const limits = await withMigrationSource(settings(), (source) =>
      source.query<unknown[]>(
        `select current_setting('statement_timeout') as all, current_setting('lock_timeout') as locks`,
      ),
    );

    expect(limits).toEqual([{ all: '0', locks: '3s' }]);
  });
});

describe('every command', () => {
  it('refuses data of a newer version', async () => {
    const sentence = 'The data is of a newer version of Deskwire (OfNextYear9900000000000 ran here)';
    await dataSource.query(
      "insert into migrations (timestamp, name) values (9900000000000, 'OfNextYear9900000000000')",
    );

    for (const words of [
      ['migrate', 'up'],
      ['migrate', 'status'],
    ])
      expect(await operator(words)).toMatchObject({ code: 1, err: expect.stringContaining(`error: ${sentence}`) });
    const doctor = await operator(['doctor']);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(/^red {4}migrations/m);
    expect(doctor.out).toContain(sentence);
  });
});

const runNextMigration = (): Promise<string[]> =>
  withMigrationSource(settings(), (source) => {
    source.migrations.push(new AddColour1800000000000());
    return runMigrations(source);
  });

async function isWaitingForLock(): Promise<boolean> {
  const waiting = await dataSource.query<unknown[]>(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}
