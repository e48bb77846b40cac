// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';
import { seedAccount } from '#test/support/seed.js';
import { insertWebhooks } from '#test/support/webhooks.js';

const WEBHOOKS = 990;
const EVENTS = 1_000;

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '600', WEBHOOK_HOST_PER_SECOND: '100' } });
  await desk.worker();
  await desk.worker();
}, 30_000);
afterAll(() => desk.stop());

/** Each has written its heartbeat since both run, so each keeps to its half. */
async function knowEachOther(): Promise<boolean> {
  const { rows } = await desk.sql.query(
    'select count(*)::int = 2 and min(seen_at) >= max(started_at) as known from worker_heartbeats',
  );
  return rows[0].known;
}

/** One event for many webhooks at one host that responds at once. */
async function amplify(status: number): Promise<Receiver> {
  const receiver = await desk.receiver({ replies: [status] });
  await desk.sql.query('delete from webhooks');
  await insertWebhooks(
    desk,
    Array.from({ length: WEBHOOKS }, (_, place) => `${receiver.url}${place}`),
  );
  await eventually(knowEachOther, { withinMs: 20_000 });
  await recordEvents(desk, 1);
  await receiver.received(1);
  return receiver;
}

describe('deliveries to many webhooks at one host', { timeout: 90_000 }, () => {
  it('reach a host that accepts them all completely, once and at the first attempt', async () => {
    const receiver = await amplify(204);

    await receiver.received(WEBHOOKS, { withinMs: 40_000 });

    expect(new Set(receiver.requests.map(({ path }) => path)).size).toBe(WEBHOOKS);
    await eventually(async () => (await desk.sql.query('select from owed_deliveries')).rowCount === 0);
    expect(receiver.requests).toHaveLength(WEBHOOKS);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-attempt']))).toEqual(new Set(['1']));
  });

  it('reach a refusing host slowly, without delaying others at that host', async () => {
    const quiet = await seedAccount(desk.sql);
    const receiver = await amplify(404);
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
  });

  it('reach a receiver that accepts without waiting for one that fails', async () => {
    const receiver = await desk.receiver({ replies: [(path) => (path === '/fails' ? 500 : 204)] });
    await desk.sql.query('delete from webhooks');
    await insertWebhooks(desk, [`${receiver.url}fails`, `${receiver.url}accepts`]);
    const requestsTo = (path: string) => receiver.requests.filter((request) => request.path === path);
    await recordEvents(desk, EVENTS);

    await eventually(() => requestsTo('/accepts').length === EVENTS, { withinMs: 20_000 });

    expect(requestsTo('/fails').length).toBeLessThan((EVENTS * 3) / 4);
    await eventually(() => requestsTo('/fails').length === EVENTS, { withinMs: 40_000 });
  });
});
