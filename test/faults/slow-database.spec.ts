// @module-tag long
import { describe, expect, it, onTestFinished } from 'vitest';
import { withClient } from '#test/support/database.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { recordEvents } from './traffic.js';

describe('a delivery in hand while PostgreSQL is slow to confirm that it is owed', () => {
  it('leaves as soon as PostgreSQL answers, though leases were renewed before', async () => {
    const desk = await startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '1,1' } });
    onTestFinished(() => desk.stop());
    await desk.worker();
    const receiver = await desk.receiver({ replies: [503, 204] });
    await desk.webhook('customer_added', receiver.url);
    await recordEvents(desk, 1);
    await receiver.received(1);

    await withClient(desk.settings.DATABASE_URL, async (other) => {
      await other.query('begin; lock table webhook_secrets in access exclusive mode');
      await eventually(() => loadingHasWaitedFor(desk, '2.5 seconds'));
    });

    expect(await receiver.received(2, { withinMs: 3_000 })).toHaveLength(2);
  });
});

/** Leases are renewed after a second, every second. */
async function loadingHasWaitedFor(desk: Desk, interval: string): Promise<boolean> {
  const { rowCount } = await desk.sql.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'deskwire-worker'
       and query like 'select o.delivery_id%' and wait_event_type = 'Lock'
       and clock_timestamp() - query_start > $1::interval`,
    [interval],
  );
  return rowCount! > 0;
}
