// @module-tag long
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import type { Receiver } from '#test/support/receiver.js';
import { eventually } from '#test/support/eventually.js';
import { arrivals, recordEvents } from './traffic.js';

const desk: Desk = await startDesk({ queue: 'redis', settings: { WEBHOOK_TIMEOUT_MS: '8000' } });
afterAll(() => desk.stop());
beforeEach(() => desk.sql.query('delete from webhooks'));

async function subscribe(...replies: Parameters<typeof desk.receiver>): Promise<Receiver> {
  const receiver = await desk.receiver(...replies);
  await desk.webhook('customer_added', receiver.url);
  return receiver;
}

const count = async (query: string): Promise<number> => Number((await desk.sql.query(`select from ${query}`)).rowCount);

/** As an API leaves it that is killed between the commit and the hand-over. */
const COMMIT_ONLY = `
  with event as (
    insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
    select new_uuid_at(clock_timestamp()), account_id, event_sequence(account_id, 1), kind, payload,
      pg_current_xact_id()::text::bigint, clock_timestamp() from events order by id desc limit 1
    returning id, account_id, kind
  )
  insert into outbox (event_id, account_id, webhook_ids, express)
  select e.id, e.account_id, array(select w.id from webhooks w where w.account_id = e.account_id and w.event = e.kind), true
  from event e`;

it('delivers an event whose API was killed before the hand-over about a second later', async () => {
  const worker = await desk.worker();
  const receiver = await subscribe();
  await recordEvents(desk, 1);
  await receiver.received(1);

  await desk.sql.query(COMMIT_ONLY);
  const committedAt = performance.now();
  await receiver.received(2);

  expect(performance.now() - committedAt).toBeLessThan(2_000);
  expect(arrivals([receiver])).toEqual({ events: 2, duplicates: 0 });
  await worker.stop();
});

it('delivers the events of a worker that is killed in its first attempts', { timeout: 60_000 }, async () => {
  const receiver = await subscribe({ replies: [{ status: 204, afterMs: 300 }] });
  const worker = await desk.worker();
  await recordEvents(desk, 5);
  await receiver.received(1);
  await worker.kill9();
  await desk.worker();

  const delivered = "deliveries join webhooks w on w.id = webhook_id where deliveries.state = 'delivered'";
  const isOver = async () => (await count(delivered)) >= 5 && (await count('outbox')) === 0;
  await eventually(isOver, { withinMs: 20_000 });
  expect(arrivals([receiver]).events).toBe(5);
});
