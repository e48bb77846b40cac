import { GrowingPool } from '#libs/database';
import type { PoolClient } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.js';

const AT_ONCE = 6;
const MOST = 8;

let database: TestDatabase;
let pool: GrowingPool;

beforeEach(async () => {
  database = await createDatabase();
  pool = new GrowingPool({ connectionString: database.url, max: MOST });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const hold = (count: number): Promise<PoolClient[]> => Promise.all(Array.from({ length: count }, () => pool.connect()));

function release(clients: readonly PoolClient[], { close = false } = {}): void {
  for (const client of clients) client.release(close);
}

it('opens few connections however many ask at once, as long as they come back', async () => {
  release(await hold(AT_ONCE));
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  const answers = await Promise.all(
    numbers.map((number) => pool.query<{ n: number }>('select $1::int as n', [number])),
  );
  expect(answers.map(({ rows }) => rows[0]!.n)).toEqual(numbers);
  expect(pool.totalCount).toBe(AT_ONCE);
});

it('opens further ones, up to its limit, where none comes back', async () => {
  const held = await hold(MOST);
  expect(pool.totalCount).toBe(MOST);
  const next = pool.connect();
  expect(pool.waitingCount).toBe(1);
  held.pop()!.release();
  release([...held, await next]);
  expect(pool.totalCount).toBe(MOST);
});

it('opens few again when the further ones were closed', async () => {
  release(await hold(MOST), { close: true });
  const few = await hold(AT_ONCE);
  const further = pool.connect();
  expect([pool.totalCount, pool.waitingCount]).toEqual([AT_ONCE, 1]);
  release([...few, await further]);
});
