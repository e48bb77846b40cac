// @module-tag long
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { DeskUpkeep } from '#test/support/upkeep.js';

let desk: Desk;
let upkeep: DeskUpkeep;
beforeEach(async () => {
  desk = await startDesk();
  upkeep = await DeskUpkeep.start(desk);
});
afterEach(async () => {
  await upkeep.stop();
  await desk.stop();
});

async function counts(webhook: string) {
  const { rows } = await desk.sql.query<Record<string, number>>(
    `select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(retried), 0)::int as retried,
       coalesce(sum(given_up), 0)::int as given_up
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
