// @module-tag long
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { recordEvents } from './traffic.js';

let desk: Desk;
let other: Client;

beforeAll(async () => {
  desk = await startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '1,1' } });
  await desk.worker();
  other = new Client({ connectionString: desk.settings.DATABASE_URL });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await desk.stop();
});

describe('a delivery in hand while PostgreSQL is slow to confirm that it is owed', () => {
  it('leaves as soon as PostgreSQL answers, though leases were renewed before', async () => {
    const receiver = await desk.receiver({ replies: [503, 204] });
    await desk.webhook('customer_added', receiver.url);
    await recordEvents(desk, 1);
    await receiver.received(1);

    await other.query('begin; lock table webhook_secrets in access exclusive mode');
    await eventually(() => loadingHasWaitedFor('2.5 seconds'));
    await other.query('rollback');

    expect(await receiver.received(2, { withinMs: 3_000 })).toHaveLength(2);
  });
});

/** Leases are renewed after a second, every second. */
async function loadingHasWaitedFor(interval: string): Promise<boolean> {
  const { rowCount } = await desk.sql.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'deskwire-worker'
       and query like 'select o.delivery_id%' and wait_event_type = 'Lock'
       and clock_timestamp() - query_start > $1::interval`,
    [interval],
  );
  return rowCount! > 0;
}
