import { Database, createDataSource } from '#libs/database';
import { Group } from '#libs/entities';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { type TestDatabase, createDatabase } from '#test/support/database.js';

describe('a repository of one account', () => {
  const [ours, theirs] = [randomUUID(), randomUUID()];
  let at: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    at = await createDatabase();
    const settings = { DATABASE_URL: at.url, DATABASE_POOL_SIZE: 2 };
    database = new Database(await createDataSource(settings, 'tests').initialize());
    for (const account of [ours, theirs]) {
      await database.dataSource.query(`insert into accounts (id, name, created_at) values ($1, 'A', now())`, [account]);
      await database.account(account).transaction((tx) => tx.repository(Group).insert(newGroup('Support')));
    }
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await at.drop();
  });

  it('reads no row of another account', async () => {
    const [foreign] = await database.account(theirs).repository(Group).find();
    const account = database.account(ours).repository(Group);

    expect(await account.find({ id: foreign!.id })).toEqual([]);
    expect(await account.findByIds([foreign!.id])).toEqual([]);
    expect(await account.findOne({ id: foreign!.id })).toBeNull();
    expect(await account.findOne({ accountId: theirs, name: 'Unknown' })).toBeNull();
    expect(await account.exists({ id: foreign!.id })).toBe(false);
    expect(await account.count()).toBe(1);
  });

  it('writes and locks no row of another account', async () => {
    const [foreign] = await database.account(theirs).repository(Group).find();
    const { id } = foreign!;
    await database.account(ours).transaction(async (tx) => {
      const account = tx.repository(Group);

      expect(await account.lock({ id })).toBeNull();
      expect(await account.update({ id }, { name: 'Taken' })).toBe(0);
      expect(await account.delete({ accountId: theirs, id })).toBe(0);
    });

    expect(await database.account(theirs).repository(Group).find()).toEqual([foreign]);
  });

  it('finds records in the order of their ids, without deleted ones', async () => {
    const added = [newGroup('Sales'), newGroup('Billing')];
    await database.account(ours).transaction(async (tx) => {
      for (const group of added) await tx.repository(Group).insert(group);
    });
    const ids = [added[1]!.id, randomUUID(), added[0]!.id];

    const found = await database.account(ours).repository(Group).findByIds(ids);

    expect(found.map(({ name }) => name)).toEqual(['Billing', 'Sales']);
  });
});

function newGroup(name: string): Omit<Group, 'accountId'> {
  return { id: randomUUID(), name, members: [], createdAt: new Date(), updatedAt: new Date() };
}
