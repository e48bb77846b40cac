import type { PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GrowingPool } from './growing-pool.js';

const CONNECTIONS_AT_ONCE = 6;
const MAX = 8;

describe('GrowingPool', () => {
  let pool: GrowingPool;

  beforeEach(() => (pool = new GrowingPool({ connectionString: process.env['DATABASE_URL']!, max: MAX })));
  afterEach(() => pool.end());

  const hold = (count: number): Promise<PoolClient[]> =>
    Promise.all(Array.from({ length: count }, () => pool.connect()));

  it('opens few connections for many callers while connections come back', async () => {
    release(await hold(CONNECTIONS_AT_ONCE));
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) => pool.query<{ n: number }>('select $1::int as n', [number])),
    );
    expect(answers.map(({ rows }) => rows[0]!.n)).toEqual(numbers);
    expect(pool.totalCount).toBe(CONNECTIONS_AT_ONCE);
  });

  it('opens more connections, up to its limit, when none comes back', async () => {
    const held = await hold(MAX);
    expect(pool.totalCount).toBe(MAX);
    const next = pool.connect();
    expect(pool.waitingCount).toBe(1);
    held.pop()!.release();
    release([...held, await next]);
    expect(pool.totalCount).toBe(MAX);
  });

  it('opens few connections again after the others were closed', async () => {
    release(await hold(MAX), { close: true });
    const few = await hold(CONNECTIONS_AT_ONCE);
    const further = pool.connect();
    expect([pool.totalCount, pool.waitingCount]).toEqual([CONNECTIONS_AT_ONCE, 1]);
    release([...few, await further]);
  });
});

function release(clients: readonly PoolClient[], { close = false } = {}): void {
  for (const client of clients) client.release(close);
}
