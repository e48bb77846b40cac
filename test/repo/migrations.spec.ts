import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type MigrationInterface,
  type QueryRunner,
  MIGRATIONS,
  createDataSource,
  runMigrations,
  withMigrationSource,
} from '#libs/database';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const CHECKSUMS = 'test/repo/landed-migrations.json';

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
  it(`keeps the checksum in ${CHECKSUMS}`, () => {
    const files = readdirSync('libs', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\/src\/migrations\/[^/]+\.ts$/.test(file))
      .map((file) => join('libs', file))
      .toSorted();

    expect(files).toHaveLength(MIGRATIONS.length);
    expect(Object.fromEntries(files.map((file) => [basename(file), checksumOf(file)]))).toEqual(
      JSON.parse(readFileSync(CHECKSUMS, 'utf8')),
    );
  });

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
  it.each([
    {
      data: 'of a newer version',
      ran: { timestamp: 9_900_000_000_000, name: 'OfNextYear9900000000000' },
      sentence: 'The data is of a newer version of Deskwire (OfNextYear9900000000000 ran here)',
    },
    {
      data: 'from before the first release',
      ran: { timestamp: 1_763_600_000_000, name: 'CreateDesk1763600000000' },
      sentence:
        'The data is from before the first release (CreateDesk1763600000000 ran here) and cannot be upgraded: start with an empty data directory',
    },
  ])('refuses data $data', async ({ ran, sentence }) => {
    await dataSource.query('delete from migrations');
    await dataSource.query('insert into migrations (timestamp, name) values ($1, $2)', [ran.timestamp, ran.name]);

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

/** Ignores white space, because the format of a file may change. */
const checksumOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file, 'utf8').replaceAll(/\s/g, '')).digest('hex').slice(0, 16);

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
