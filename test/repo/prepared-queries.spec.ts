import { Database, createDataSource, systemStatement } from '#libs/database';
import { Connection } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.js';

const WHY = 'A table of this test, which belongs to nobody';
const ADD = systemStatement('test_thing_add', WHY, 'insert into things (number, words, at) values ($1, $2, $3)');
const READ = systemStatement('test_thing_read', WHY, 'select * from things order by number');

let at: TestDatabase;
let database: Database;

beforeAll(async () => {
  at = await createDatabase();
  database = new Database(
    await createDataSource({ DATABASE_URL: at.url, DATABASE_POOL_SIZE: 1 }, 'tests').initialize(),
  );
});
afterAll(async () => {
  await database.dataSource.destroy();
  await at.drop();
});
beforeEach(() => database.dataSource.query('create table things (number int, words text[], at timestamptz)'));
afterEach(async () => {
  vi.restoreAllMocks();
  await database.dataSource.query('drop table things');
});

it('reads what a statement finds the same whether its columns were described or are known', async () => {
  const then = new Date('2026-02-28T12:00:00.123Z');
  await database.system().rows(ADD, [1, ['a', 'b"c', ''], then]);
  await database.system().rows(ADD, [2, null, null]);
  const found = [
    { number: 1, words: ['a', 'b"c', ''], at: then },
    { number: 2, words: null, at: null },
  ];
  expect(await database.system().rows(READ)).toEqual(found);
  expect(await database.system().rows(READ)).toEqual(found);
  expect(await database.systemTransaction((tx) => Promise.all([tx.rows(READ), tx.rows(READ)]))).toEqual([found, found]);
});

it('has the columns of a statement described once for each connection, also where it has none', async () => {
  const described = vi.spyOn(Connection.prototype, 'describe');
  for (let round = 0; round < 3; round++) {
    await database.system().rows(ADD, [round, null, null]);
    await database.system().rows(READ);
  }
  expect(described.mock.calls.length).toBeLessThanOrEqual(2);
  expect(await database.system().rows(READ)).toHaveLength(3);
});

it('takes columns that were added meanwhile for a failure, and then reads them', async () => {
  await database.system().rows(ADD, [1, null, null]);
  await database.system().rows(READ);
  await database.dataSource.query('alter table things add column more text');
  await expect(database.system().rows(READ)).rejects.toThrow('cached plan must not change result type');
  expect(await database.system().rows(READ)).toEqual([{ number: 1, words: null, at: null, more: null }]);
});

it('goes on with a connection after a value that cannot be written down', async () => {
  const endless: unknown[] = [];
  endless.push({ endless });
  await expect(database.system().rows(ADD, [1, endless, null])).rejects.toThrow(/circular|call stack/i);
  await database.system().rows(ADD, [1, null, null]);
  expect(await database.system().rows(READ)).toHaveLength(1);
});
