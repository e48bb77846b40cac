import { Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinTransaction, poolOf } from './typeorm-internals.js';

describe('the installed version of TypeORM', () => {
  let dataSource: DataSource;

  beforeEach(async () => {
    dataSource = await new DataSource({ type: 'postgres', url: process.env['DATABASE_URL']! }).initialize();
  });
  afterEach(() => dataSource.destroy());

  it('has a pool of pg', () => {
    expect(poolOf(dataSource)).toBeInstanceOf(Pool);
  });

  it('runs queries in a transaction that was begun without it', async () => {
    const runner = dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    await client.query('begin');
    let calls = 0;
    joinTransaction(runner, async () => void calls++);

    await runner.manager.query('create table joined ()');
    expect(calls).toBe(1);
    await client.query('rollback');
    const [found] = await dataSource.query<{ made: boolean }[]>(`select to_regclass('joined') is not null as made`);
    await runner.release();

    expect(found).toEqual({ made: false });
  });
});
