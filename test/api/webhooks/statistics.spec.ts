import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';
import { seedAccount, seedToken } from '#test/support/seed.js';
import { letApplicationIn } from '#test/support/webhooks.js';

const desk = deskForFile({ settings: { WEBHOOK_RETRY_SCHEDULE: '3600' } });

const newWebhook = async (url = `https://receiver.example/${randomUUID()}`) =>
  (await desk.webhook('ticket_started', url)).id;
const get = (id: string, query = '', token?: string) => desk.client(token).get(`/v1/webhooks/${id}/statistics${query}`);
const statistics = async (id: string, query = '') => (await get(id, query)).body.statistics;

const HOUR_MS = 3_600_000;

describe('the statistics of a webhook', () => {
  it('count attempts of the last hours, cancelled deliveries and what waits', async () => {
    const receiver = await desk.receiver({ replies: [204, 204, 500] });
    const webhook = await newWebhook(receiver.url);
    const worker = await desk.worker();
    for (let n = 0; n < 3; n++) await startTicket(desk);
    await receiver.received(3);
    await eventually(async () => (await statistics(webhook)).failed_attempts === 1);
    await worker.stop();
    await insertPastDeliveries(desk, webhook, ['cancelled', 'exhausted']);

    const found = await statistics(webhook);
    expect(found).toMatchObject({
      delivered: 2,
      failed_attempts: 2,
      exhausted: 1,
      cancelled: 1,
      success_rate: 0.5,
      pending: 1,
      pending_capped: false,
    });
    expect(found.response_ms.average).toBeGreaterThan(0);
    expect(found.response_ms.slowest).toBeGreaterThanOrEqual(found.response_ms.average);
    expect(Date.parse(found.oldest_due_at) - desk.clock.now().getTime()).toBeGreaterThan(HOUR_MS / 2);
    expect(Date.parse(found.from) % HOUR_MS).toBe(0);
    expect(Date.parse(found.to) - Date.parse(found.from)).toBe(24 * HOUR_MS);
  });

  it('leave out what is older than the hours asked for', async () => {
    const webhook = await newWebhook();
    await insertPastDeliveries(desk, webhook, ['delivered', 'cancelled']);
    desk.clock.advance({ hours: 30 });

    expect(await statistics(webhook)).toMatchObject({ delivered: 0, cancelled: 0, success_rate: null });
    expect(await statistics(webhook, '?hours=1')).toMatchObject({ delivered: 0, cancelled: 0 });
    expect(await statistics(webhook, '?hours=168')).toMatchObject({ delivered: 1, cancelled: 1, success_rate: 1 });
    expect((await statistics(webhook)).response_ms).toEqual({ average: null, slowest: null });
    expect((await statistics(webhook)).oldest_due_at).toBeNull();
  });

  it('stop counting at a thousand pending deliveries', async () => {
    const webhook = await newWebhook();
    await desk.sql.query(
      `insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
       select gen_random_uuid(), $1, $2, gen_random_uuid(), n % 2, false, $3 from generate_series(1, 1500) n`,
      [desk.account.id, webhook, desk.clock.now()],
    );

    expect(await statistics(webhook)).toMatchObject({ pending: 1_000, pending_capped: true });
    await desk.sql.query('delete from owed_deliveries where webhook_id = $1', [webhook]);
  });

  it('are shown only to those who see the webhook', async () => {
    const webhook = await newWebhook();
    const stranger = await seedAccount(desk.sql);
    const application = await letApplicationIn(desk, '統計 إحصاء');
    const { id: agentId } = desk.account.owner;
    const reading = await seedToken(desk.sql, { accountId: desk.account.id, agentId, scopes: ['read'] });

    expect((await get(webhook, '', stranger.owner.token)).status).toBe(404);
    expect((await application.get(`/v1/webhooks/${webhook}/statistics`)).body.error).toBe('webhook_not_found');
    expect((await get(webhook, '', reading)).body.error).toBe('insufficient_scope');
    expect((await get('no-id')).status).toBe(404);
  });

  it.each([
    ['0', 'too_small'],
    ['169', 'too_large'],
    ['1.5', 'not_an_integer'],
    ['day', 'not_an_integer'],
    ['٢٤', 'not_an_integer'],
  ])('answer 422 to %s hours', async (hours, code) => {
    const { body } = await get(await newWebhook(), `?hours=${hours}`);

    expect(body.errors).toEqual([{ field: 'hours', code, message: expect.stringContaining('hours') }]);
  });
});
