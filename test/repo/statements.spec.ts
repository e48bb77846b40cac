import { Database, createDataSource, systemStatement } from '#libs/database';
import { Connection } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { loadStatements } from '#test/support/statement-sources.js';

const WHY = 'A table of this test';
const ADD = systemStatement('test_thing_add', WHY, 'insert into things (number, words, at) values ($1, $2, $3)');
const READ = systemStatement('test_thing_read', WHY, 'select * from things order by number');

let at: TestDatabase;
let database: Database;
beforeAll(async () => {
  at = await createDatabase();
  const settings = { DATABASE_URL: at.url, DATABASE_POOL_SIZE: 1 };
  database = new Database(await createDataSource(settings, 'tests').initialize());
});
afterAll(async () => {
  await database.dataSource.destroy();
  await at.drop();
});

it('prepares every named statement of the product', async () => {
  const statements = await loadStatements();
  const refused: string[] = [];
  for (const { name, text } of statements)
    await database.dataSource
      .query(`prepare "${name}" as ${text}`)
      .catch((error: Error) => refused.push(`${name}: ${error.message}`));

  expect(statements.length).toBeGreaterThan(150);
  expect(refused).toEqual([]);
  await database.dataSource.query('deallocate all');
});

describe('a prepared statement', () => {
  beforeEach(() => database.dataSource.query('create table things (number int, words text[], at timestamptz)'));
  afterEach(async () => {
    vi.restoreAllMocks();
    await database.dataSource.query('drop table things');
  });

  it('returns the same rows with described and with cached columns', async () => {
    const then = new Date('2026-02-28T12:00:00.123Z');
    await database.system().rows(ADD, [1, ['a', 'b"c', ''], then]);
    await database.system().rows(ADD, [2, null, null]);
    const found = [
      { number: 1, words: ['a', 'b"c', ''], at: then },
      { number: 2, words: null, at: null },
    ];
    expect(await database.system().rows(READ)).toEqual(found);
    expect(await database.system().rows(READ)).toEqual(found);
    expect(await database.systemTransaction((tx) => Promise.all([tx.rows(READ), tx.rows(READ)]))).toEqual([
      found,
      found,
    ]);
  });

  it('has its columns described once for each connection', async () => {
    const described = vi.spyOn(Connection.prototype, 'describe');
    for (let round = 0; round < 3; round++) {
      await database.system().rows(ADD, [round, null, null]);
      await database.system().rows(READ);
    }
    expect(described.mock.calls.length).toBeLessThanOrEqual(2);
    expect(await database.system().rows(READ)).toHaveLength(3);
  });

  it('fails once after a column was added, and then returns it', async () => {
    await database.system().rows(ADD, [1, null, null]);
    await database.system().rows(READ);
    await database.dataSource.query('alter table things add column more text');
    await expect(database.system().rows(READ)).rejects.toThrow('cached plan must not change result type');
    expect(await database.system().rows(READ)).toEqual([{ number: 1, words: null, at: null, more: null }]);
  });

  it('leaves the connection usable after a value that cannot be serialized', async () => {
    const endless: unknown[] = [];
    endless.push({ endless });
    await expect(database.system().rows(ADD, [1, endless, null])).rejects.toThrow(/circular|call stack/i);
    await database.system().rows(ADD, [1, null, null]);
    expect(await database.system().rows(READ)).toHaveLength(1);
  });
});
