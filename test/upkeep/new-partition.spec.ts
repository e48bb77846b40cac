import { uuidAt } from '#libs/database';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

let desk: Desk;
let upkeep: Client;
beforeAll(async () => {
  desk = await startDesk();
  upkeep = new Client({ connectionString: desk.environment['DATABASE_URL']! });
  await upkeep.connect();
});
afterAll(async () => {
  await upkeep.end();
  await desk.stop();
});

const bound = (days: number): string => `'${uuidAt(new Date(desk.clock.now().getTime() + days * 86_400_000))}'`;

it('stores an event while its partition is being created', async () => {
  await upkeep.query('begin');
  await upkeep.query('create table events_new (like events including all)');
  await upkeep.query(`alter table events attach partition events_new for values from (${bound(-1)}) to (${bound(1)})`);
  const answer = desk.client().post('/v1/customers', { email: 'someone@example.com' });
  await eventually(async () => (await waiting()) > 0);
  await upkeep.query('commit');

  expect((await answer).status).toBe(201);
  const { rows } = await desk.sql.query('select kind from events_new');
  expect(rows).toEqual([{ kind: 'customer_added' }]);
});

async function waiting(): Promise<number> {
  const { rowCount } = await desk.sql.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount ?? 0;
}
