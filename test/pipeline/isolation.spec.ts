// @module-tag long
import { createServer } from 'node:net';
import { RELAY_CHANNEL, uuidAt } from '#libs/database';
import { afterAll, describe, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { baseUrlOf } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { seedAccount } from '#test/support/seed.js';
import { registerWebhook } from '#test/support/webhooks.js';

const desk = await startDesk({ settings: { WEBHOOK_TIMEOUT_MS: '3000' } });
await desk.worker({ WORKER_CONCURRENCY: '20' });
const silent = createServer((socket) => socket.on('error', () => undefined).resume());
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  await desk.stop();
  silent.close();
});

const owed = async (webhookId: string): Promise<number> =>
  Number(
    (await desk.sql.query('select count(*) from owed_deliveries where webhook_id = $1', [webhookId])).rows[0].count,
  );

/** Leaves an event to the relay, as a process without Redis does. */
async function relayEvent(accountId: string, webhookId: string): Promise<void> {
  await desk.sql.query(
    `with event as (
       insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
       values ($1, $2, event_sequence($2, 1), 'customer_added', '{}', pg_current_xact_id()::text::bigint, now())
     ) insert into outbox (event_id, account_id, webhook_ids) values ($1, $2, array[$3::uuid])`,
    [uuidAt(new Date()), accountId, webhookId],
  );
  await desk.sql.query(`select pg_notify('${RELAY_CHANNEL}', '')`);
}

describe('a receiver that hangs', () => {
  it('delays no other with more deliveries owed than the worker takes at once, and is slow for every worker', async () => {
    const hanging = await desk.webhook('customer_added', baseUrlOf(silent));
    await recordEvents(desk, 200);
    await eventually(async () => (await owed(hanging.id)) === 200);
    const prompt = await desk.receiver();
    const webhook = await desk.webhook('customer_added', prompt.url);

    const started = Date.now();
    await recordEvents(desk, 50);

    await prompt.received(50);
    expect(Date.now() - started).toBeLessThan(3_000);
    // A silence marks it, before any attempt times out.
    const known = `select slow_until > now() as slow, (select count(*)::int from attempts where webhook_id = w.id) as "timedOut"
      from webhooks w where id = $1`;
    await expect
      .poll(async () => (await desk.sql.query(known, [hanging.id])).rows[0], { timeout: 10_000, interval: 20 })
      .toEqual({ slow: true, timedOut: 0 });
    await desk.client().delete(`/v1/webhooks/${hanging.id}`);
    await desk.client().delete(`/v1/webhooks/${webhook.id}`);
  });
});

describe('a burst of one account', () => {
  it('delays no relayed event of another, even when the queue has no room', async () => {
    const busy = await desk.receiver({ replies: [{ status: 204, afterMs: 400 }] });
    const { id } = await desk.webhook('customer_added', busy.url);
    const prompt = await desk.receiver();
    const other = await seedAccount(desk.sql, { name: 'Other' });
    const theirs = await registerWebhook(desk.client(other.owner.token), 'customer_added', prompt.url);
    await recordEvents(desk, 3_000, 1_000);
    await busy.received(100);

    const before = busy.requests.length;
    for (let event = 1; event <= 5; event++) {
      await relayEvent(other.id, theirs.id);
      await prompt.received(event);
    }

    // A round of bulk room is fifty deliveries.
    expect(busy.requests.length - before).toBeLessThan(100);
    await desk.client().delete(`/v1/webhooks/${id}`);
  });
});
