// @module-tag long
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { DeskUpkeep } from '#test/support/upkeep.js';

let desk: Desk;
let upkeep: DeskUpkeep;
beforeEach(async () => {
  desk = await startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '0.2,0.2' } });
  upkeep = await DeskUpkeep.start(desk);
});
afterEach(async () => {
  await upkeep.stop();
  await desk.stop();
});

async function counts(webhook: string) {
  const { rows } = await desk.sql.query<Record<string, number>>(
    `select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(retried), 0)::int as retried,
       coalesce(sum(given_up), 0)::int as given_up, coalesce(sum(duration_ms), 0)::int as duration_ms,
       coalesce(max(longest_ms), 0)::int as longest_ms
     from delivery_counts where webhook_id = $1`,
    [webhook],
  );
  return rows[0]!;
}

const settled = (webhook: string, count: number) =>
  eventually(async () => {
    const { rows } = await desk.sql.query("select from deliveries where webhook_id = $1 and state <> 'pending'", [
      webhook,
    ]);
    return rows.length === count;
  });

describe('the hourly statistics of deliveries', () => {
  it('contain each attempt once: delivered, retried, given up', async () => {
    const well = await desk.receiver({ replies: [204] });
    const failing = await desk.receiver({ replies: [500] });
    const gone = await desk.receiver({ replies: [410] });
    const late = await desk.receiver({ replies: [{ status: 204, afterMs: 60 }] });
    const urls = [well, failing, gone, late].map(({ url }) => url);
    const ids: string[] = [];
    for (const url of urls) ids.push((await desk.webhook('ticket_started', url)).id);
    await startTicket(desk);
    await desk.worker();
    for (const id of ids) await settled(id, 1);

    const found = [];
    for (const id of ids) found.push(await counts(id));
    const [ofWell, ofFailing, ofGone, ofLate] = found;
    expect(ofWell).toMatchObject({ delivered: 1, retried: 0, given_up: 0 });
    expect(ofFailing).toMatchObject({ delivered: 0, retried: 2, given_up: 1 });
    expect(ofGone).toMatchObject({ delivered: 0, retried: 0, given_up: 1 });
    expect(ofLate!['longest_ms']).toBeGreaterThanOrEqual(60);
    expect(ofLate!['duration_ms']).toBe(ofLate!['longest_ms']);
  });

  it('contain every attempt, however many workers record at once', async () => {
    const receiver = await desk.receiver();
    const { id } = await desk.webhook('ticket_started', receiver.url);
    for (let n = 0; n < 60; n++) await startTicket(desk);
    await Promise.all([desk.worker(), desk.worker()]);
    await settled(id, 60);

    expect(await counts(id)).toMatchObject({ delivered: 60, retried: 0, given_up: 0 });
  });

  it('expire after eight days', async () => {
    const receiver = await desk.receiver();
    const { id } = await desk.webhook('ticket_started', receiver.url);
    await startTicket(desk);
    await desk.worker();
    await settled(id, 1);

    desk.clock.advance({ days: 7, hours: 22 });
    await upkeep.run('delivery_counts');
    expect(await counts(id)).toMatchObject({ delivered: 1 });
    desk.clock.advance({ hours: 4 });
    await upkeep.run('delivery_counts');
    expect(await counts(id)).toMatchObject({ delivered: 0 });
  });
});

describe('the backlog of an account', () => {
  it('appears hourly with its maximum and the age of the oldest delivery', async () => {
    await desk.webhook('ticket_started', 'https://receiver.example/');
    for (let n = 0; n < 3; n++) await startTicket(desk);
    await desk.sql.query(
      `insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
       select new_uuid_at($1), o.account_id, w, o.event_id, 0, false, now() from outbox o, unnest(o.webhook_ids) w`,
      [desk.clock.now()],
    );
    desk.clock.advance({ minutes: 1 });
    await upkeep.run('backlog');
    await desk.sql.query(
      'delete from owed_deliveries where delivery_id in (select delivery_id from owed_deliveries limit 2)',
    );
    await upkeep.run('backlog');

    const { rows } = await desk.sql.query(
      'select account_id, max(owed) as owed, max(oldest_seconds) as oldest_seconds from backlog_hours group by 1',
    );
    expect(rows).toEqual([
      {
        account_id: desk.account.id,
        owed: 3,
        oldest_seconds: expect.toSatisfy((age: number) => age >= 60 && age <= 62),
      },
    ]);
  });
});
