import { randomUUID } from 'node:crypto';
import { type AccountDatabase, Database, accountStatement, createDataSource } from '#libs/database';
import { Group } from '#libs/entities';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { type RoundTrips, countRoundTrips } from '#test/support/round-trips.js';
import { PgBouncer } from '../topologies/support/pgbouncer.js';

const ADD = accountStatement(
  'test_group_add',
  'insert into groups (id, account_id, name, created_at, updated_at) values (gen_random_uuid(), $1, $2, now(), now())',
);
const NAMES = accountStatement('test_group_names', 'select name from groups where account_id = $1 order by name');
const BROKEN = accountStatement('test_broken', 'select no_such_column from groups where account_id = $1');

/** Sent with the first statement of each transaction, so it costs no round trip. */
const SETTINGS_OF_POOLED = /(?<=^tx_begin \+ )tx_settings \+ /;

const UNIQUE_VIOLATION = '23505';
const UNDEFINED_COLUMN = '42703';

describe.each([
  ['PostgreSQL', async () => undefined],
  ['PgBouncer', () => PgBouncer.inFrontOf(process.env['DATABASE_URL']!)],
])('a transaction on a connection to %s', (_, startPooler) => {
  let pooler: PgBouncer | undefined;
  let at: TestDatabase;
  let database: Database;
  let account: AccountDatabase;
  let trips: RoundTrips;

  beforeAll(async () => {
    at = await createDatabase();
    pooler = await startPooler();
    const addresses = { DATABASE_URL: pooler?.urlOf(at.url) ?? at.url, DATABASE_DIRECT_URL: at.url };
    const settings = { ...addresses, DATABASE_POOL_SIZE: 1 };
    database = new Database(await createDataSource(settings, 'tests').initialize());
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await pooler?.stop();
    await at.drop();
  });
  beforeEach(async () => {
    const id = randomUUID();
    await database.dataSource.query(`insert into accounts (id, name, created_at) values ($1, 'A', now())`, [id]);
    account = database.account(id);
    trips = countRoundTrips();
  });
  afterEach(() => trips.stop());

  const names = async (): Promise<unknown[]> => (await account.rows(NAMES)).map(({ name }) => name);

  it('takes two round trips to read and then write', async () => {
    const [first, second] = await account.transaction(async (tx) => {
      const answers = await Promise.all([tx.rows(NAMES), tx.row(NAMES)]);
      tx.send(ADD, ['Sales']);
      tx.send(ADD, ['Support']);
      return answers;
    });

    expect([first, second]).toEqual([[], undefined]);
    expect(trips.made.map((made) => made.replace(SETTINGS_OF_POOLED, ''))).toEqual([
      'tx_begin + test_group_names + test_group_names',
      'test_group_add + test_group_add + tx_commit',
    ]);
    expect(await names()).toEqual(['Sales', 'Support']);
  });

  it('takes no round trip without statements', async () => {
    expect(await account.transaction(async () => 'done')).toBe('done');
    expect(trips.made).toEqual([]);
  });

  it('writes nothing and throws the error if a sent statement fails', async () => {
    const failing = account.transaction(async (tx) => {
      tx.send(ADD, ['Sales']);
      tx.send(ADD, ['Sales']);
      tx.send(ADD, ['Support']);
    });

    await expect(failing).rejects.toMatchObject({ code: UNIQUE_VIOLATION });
    expect(await names()).toEqual([]);
  });

  it('rejects the next query with the error of a sent statement', async () => {
    const failing = account.transaction(async (tx) => {
      tx.send(BROKEN);
      await expect(tx.rows(NAMES)).rejects.toMatchObject({ code: UNDEFINED_COLUMN });
    });

    await expect(failing).rejects.toThrow('all were rolled back');
  });

  it('writes nothing if the work catches an error and goes on', async () => {
    const failing = account.transaction(async (tx) => {
      tx.send(ADD, ['Sales']);
      await tx.rows(BROKEN).catch(() => undefined);
    });

    await expect(failing).rejects.toThrow('all were rolled back');
    expect(await names()).toEqual([]);
  });

  it('sends no statement that was unsent when the work failed', async () => {
    const failing = account.transaction((tx) => {
      tx.send(ADD, ['Sales']);
      return Promise.reject(new Error('No'));
    });

    await expect(failing).rejects.toThrow('No');
    expect(trips.made).toEqual([]);
    expect(await names()).toEqual([]);
  });

  it('keeps the order of statements and repositories', async () => {
    await account.transaction(async (tx) => {
      const groups = tx.repository(Group);
      tx.send(ADD, ['Sales']);
      expect(await groups.lock({ name: 'Sales' })).toMatchObject({ name: 'Sales' });
      await groups.update({ name: 'Sales' }, { name: 'Support' });
      expect(await tx.rows(NAMES)).toEqual([{ name: 'Support' }]);
    });

    expect(await names()).toEqual(['Support']);
  });

  it('rejects statements after its end', async () => {
    const late = await account.transaction(async (tx) => tx);

    await expect(late.rows(NAMES)).rejects.toThrow('has ended');
    expect(() => late.send(ADD, ['Sales'])).toThrow('has ended');
    await expect(late.repository(Group).lock({ name: 'Sales' })).rejects.toThrow('has ended');
    expect(await names()).toEqual([]);
  });

  it('writes nothing if a value cannot be serialized', async () => {
    const circular: Record<string, unknown> = {};
    circular['itself'] = circular;

    const failing = account.transaction(async (tx) => {
      tx.send(ADD, ['Sales']);
      tx.send(ADD, [circular]);
    });

    await expect(failing).rejects.toThrow(/circular/i);
    expect(await names()).toEqual([]);
  });

  it('prepares a statement again that followed a failed one', async () => {
    const failing = account.transaction(async (tx) => {
      tx.send(BROKEN);
      tx.send(ADD, ['Sales']);
    });
    await expect(failing).rejects.toMatchObject({ code: UNDEFINED_COLUMN });

    await account.transaction(async (tx) => tx.send(ADD, ['Sales']));

    expect(await names()).toEqual(['Sales']);
  });
});
