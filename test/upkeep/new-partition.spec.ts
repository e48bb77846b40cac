import { uuidAt } from '#libs/database';
import { expect, it, onTestFinished } from 'vitest';
import { withClient } from '#test/support/database.js';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const bound = (days: number): string => `'${uuidAt(new Date(Date.now() + days * 86_400_000))}'`;
const ATTACH = `alter table events attach partition events_new for values from (${bound(-1)}) to (${bound(1)})`;
const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

it('stores an event while its partition is being created', async () => {
  const desk = await startDesk();
  onTestFinished(() => desk.stop());
  const status = await withClient(desk.settings.DATABASE_URL, async (upkeep) => {
    await upkeep.query('begin');
    await upkeep.query('create table events_new (like events including all)');
    await upkeep.query(ATTACH);
    const answer = desk.client().post('/v1/customers', { email: 'someone@example.com' });
    await eventually(async () => (await desk.sql.query(WAITING)).rowCount! > 0);
    await upkeep.query('commit');
    return (await answer).status;
  });

  expect(status).toBe(201);
  expect((await desk.sql.query('select kind from events_new')).rows).toEqual([{ kind: 'customer_added' }]);
});
