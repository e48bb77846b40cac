// @module-tag long
import { afterAll, describe, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { workersKnowEachOther } from '#test/support/heartbeats.js';
import type { Receiver } from '#test/support/receiver.js';
import { seedAccount } from '#test/support/seed.js';
import { insertWebhooks } from '#test/support/webhooks.js';

const WEBHOOKS = 990;

const desk = await startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '600', WEBHOOK_HOST_PER_SECOND: '100' } });
await desk.worker();
await desk.worker();
afterAll(() => desk.stop());

/** One event for many webhooks at one host that refuses it. */
async function amplify(): Promise<Receiver> {
  const receiver = await desk.receiver({ replies: [404] });
  await insertWebhooks(
    desk,
    Array.from({ length: WEBHOOKS }, (_, place) => `${receiver.url}${place}`),
  );
  await workersKnowEachOther(desk);
  await recordEvents(desk, 1);
  await receiver.received(1);
  return receiver;
}

describe('deliveries to many webhooks at one host', { timeout: 90_000 }, () => {
  it('reach a refusing host slowly, without delaying others at that host', async () => {
    const quiet = await seedAccount(desk.sql);
    const receiver = await amplify();
    const url = `${receiver.url}quiet`;
    await desk.client(quiet.owner.token).post('/v1/webhooks', { event: 'customer_added', url });
    await desk.client(quiet.owner.token).post('/v1/customers', { email: newEmail() });
    const before = receiver.requests.length;

    await eventually(() => receiver.requests.some(({ path }) => path === '/quiet'));

    const place = receiver.requests.findIndex(({ path }) => path === '/quiet');
    expect(place - before).toBeLessThan(WEBHOOKS / 4);
    await receiver.received(WEBHOOKS, { withinMs: 40_000 });
    const ms = receiver.requests[WEBHOOKS - 1]!.at - receiver.requests[0]!.at;
    // 100 at once, and then 100 a second.
    expect(ms).toBeGreaterThan(8_500);
    const { rows } = await desk.sql.query('select max(attempts) as most from owed_deliveries');
    expect(rows[0].most).toBe(1);
    expect(new Set(receiver.requests.map(({ path }) => path)).size).toBe(receiver.requests.length);
  });
});
