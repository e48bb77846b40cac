import { createDataSource } from '#libs/database';
import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '#test/support/database.js';
import { ClosingProxy } from './closing-proxy.js';

it('fails only the caller of a connection that ends as soon as it is ready', async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const proxy = await ClosingProxy.inFrontOf(database.url);
  onTestFinished(() => proxy.stop());
  const source = await createDataSource({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: 4 }, 'tests').initialize();
  onTestFinished(() => source.destroy());

  proxy.closing = true;
  const asked = await Promise.allSettled([1, 2, 3, 4].map(() => source.transaction((tx) => tx.query('select 1'))));
  proxy.closing = false;

  expect(asked.some(({ status }) => status === 'rejected')).toBe(true);
  expect(proxy.closedCount).toBeGreaterThan(0);
  expect(await source.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
});
