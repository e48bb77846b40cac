import { runMigrations, createDataSource, revertMigrations } from '#libs/database';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { runCli } from '../cli/run.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createDatabase();
  dataSource = await createDataSource({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 }, 'tests').initialize();
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

const operator = (words: string[]) => runCli(words, { NODE_ENV: 'test', DATABASE_URL: database.url });

it('data of a newer version is left alone, and named by every command that looks', async () => {
  await dataSource.query(`insert into migrations (timestamp, name) values (9900000000000, 'OfNextYear9900000000000')`);
  const sentence = 'The data is of a newer version of Deskwire (OfNextYear9900000000000 ran here)';

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

it('a migration that fails is named with its reason, leaves nothing, and runs once the cause is mended', async () => {
  const names = dataSource.migrations.map(({ constructor }) => constructor.name);
  const place = names.indexOf('WakeSnoozedTickets1763600037000');
  await revertMigrations(dataSource, names.length - place);
  await dataSource.query('alter table tickets rename to hidden_tickets');

  const failed = await operator(['migrate', 'up']);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain(
    `error: The migration WakeSnoozedTickets1763600037000 failed: relation "tickets" does not exist.`,
  );
  expect(failed.err).not.toContain('    at ');

  await dataSource.query('alter table hidden_tickets rename to tickets');
  expect(await runMigrations(dataSource)).toEqual(names.slice(place));
});
