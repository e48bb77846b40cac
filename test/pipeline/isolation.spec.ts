import { type Server, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { baseUrlOf } from '../support/api-client.js';
import { type Desk, startDesk } from '../support/desk.js';
import { eventually } from '../support/eventually.js';

let desk: Desk;
let silent: Server;

beforeAll(async () => {
  desk = await startDesk({ settings: { WEBHOOK_TIMEOUT_MS: '3000' } });
  await desk.worker({ WORKER_CONCURRENCY: '20' });
  silent = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await desk.stop();
  silent.close();
});

const owed = async (webhookId: string): Promise<number> =>
  Number(
    (await desk.sql.query('select count(*) from owed_deliveries where webhook_id = $1', [webhookId])).rows[0].count,
  );

describe('a receiver that hangs', () => {
  it('delays no other, even with more deliveries owed than the worker takes at once', async () => {
    const hanging = await desk.webhook('customer_added', baseUrlOf(silent));
    await recordEvents(desk, 200);
    await eventually(async () => (await owed(hanging.id)) === 200);
    const prompt = await desk.receiver();
    const webhook = await desk.webhook('customer_added', prompt.url);

    const started = Date.now();
    await recordEvents(desk, 50);

    await prompt.received(50);
    expect(Date.now() - started).toBeLessThan(3_000);
    await desk.client().delete(`/v1/webhooks/${hanging.id}`);
    await desk.client().delete(`/v1/webhooks/${webhook.id}`);
  });

  it('counts as slow in every worker, and gets one request at a time', async () => {
    const hanging = await desk.webhook('customer_added', baseUrlOf(silent));
    await recordEvents(desk, 100);

    const known = () =>
      desk.sql.query(
        `select slow_until > now() as slow, (select count(*)::int from attempts where webhook_id = w.id) as "timedOut"
         from webhooks w where id = $1`,
        [hanging.id],
      );
    await expect
      .poll(async () => (await known()).rows[0], { timeout: 10_000, interval: 20 })
      .toEqual({ slow: true, timedOut: 0 });
    await desk.client().delete(`/v1/webhooks/${hanging.id}`);
  });
});

describe('a receiver that asks for a pause', () => {
  it('gets no delivery until the pause is over, and then all of them', async () => {
    const receiver = await desk.receiver({ replies: [{ status: 429, headers: { 'retry-after': '2' } }, 204] });
    await desk.webhook('customer_added', receiver.url);
    await recordEvents(desk, 1);
    await receiver.received(1);
    await eventually(async () => {
      const { rows } = await desk.sql.query('select paced_until > now() as paced from webhooks where url = $1', [
        receiver.url,
      ]);
      return rows[0].paced === true;
    });

    await recordEvents(desk, 20);

    const requests = await receiver.received(22);
    expect(requests[1]!.at - requests[0]!.at).toBeGreaterThan(1_900);
  });
});

describe('a paused webhook', () => {
  it('gets nothing until it is active again, and then everything', async () => {
    const receiver = await desk.receiver();
    const { id } = await desk.webhook('customer_added', receiver.url);
    await desk.sql.query(`update webhooks set state = 'paused' where id = $1`, [id]);
    await recordEvents(desk, 30);
    await eventually(async () => (await owed(id)) === 30);
    expect(receiver.requests).toEqual([]);

    await desk.sql.query(`update webhooks set state = 'active' where id = $1`, [id]);

    await receiver.received(30);
  });
});

describe('a receiver that is gone', () => {
  it('becomes disabled by its 410, which cancels its deliveries', async () => {
    const receiver = await desk.receiver({ replies: [{ status: 503, headers: { 'retry-after': '1' } }, 410] });
    const { id } = await desk.webhook('customer_added', receiver.url);
    await recordEvents(desk, 10);

    const state = await eventually(async () => {
      const { rows } = await desk.sql.query('select state, disabled_reason from webhooks where id = $1', [id]);
      return rows[0].state === 'disabled' && rows[0];
    });

    expect(state.disabled_reason).toBe('gone');
    await eventually(async () => (await owed(id)) === 0);
    const { rows } = await desk.sql.query(`select distinct state from deliveries where webhook_id = $1`, [id]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });
});
