import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';
import { walkValues } from '#test/support/pages.js';
import { seedAccount, seedAgent } from '#test/support/seed.js';

const desk = deskForFile();

const newWebhook = async () => (await desk.webhook('ticket_started', `https://receiver.example/${randomUUID()}`)).id;
const list = async (path: string) => (await desk.client().get(path)).body;
const ids = (deliveries: readonly { id: string }[]) => deliveries.map(({ id }) => id);

describe('the deliveries of a webhook', () => {
  it('appear newest first and once each, while new ones are added', async () => {
    const webhook = await newWebhook();
    const made = await insertPastDeliveries(desk, webhook, Array<'delivered'>(60).fill('delivered'));
    const path = `/v1/webhooks/${webhook}/deliveries?per_page=25`;

    const first = await list(path);
    await insertPastDeliveries(desk, webhook, ['pending']);
    const rest = await walkValues(desk.client(), first.meta.pagination.next_page, 'id');

    expect([...ids(first.deliveries), ...rest]).toEqual(made.toReversed());
    expect(first.meta.pagination).toMatchObject({ current_page: 1, total_pages: 3, total_count: 60, prev_page: null });
  });

  it('can be paged backwards', async () => {
    const webhook = await newWebhook();
    const made = await insertPastDeliveries(desk, webhook, Array<'delivered'>(30).fill('delivered'));
    const first = await list(`/v1/webhooks/${webhook}/deliveries?per_page=10`);
    const second = await list(first.meta.pagination.next_page.slice(desk.settings.PUBLIC_URL.length));

    const back = await list(second.meta.pagination.prev_page.slice(desk.settings.PUBLIC_URL.length));

    expect(ids(back.deliveries)).toEqual(ids(first.deliveries));
    expect(ids((await list(`/v1/webhooks/${webhook}/deliveries?per_page=10&page=3`)).deliveries)).toEqual(
      made.slice(0, 10).toReversed(),
    );
  });

  it('can be filtered by state and time', async () => {
    const webhook = await newWebhook();
    const made = await insertPastDeliveries(desk, webhook, [
      'delivered',
      'exhausted',
      'pending',
      'exhausted',
      'cancelled',
    ]);
    const path = `/v1/webhooks/${webhook}/deliveries`;
    const { created_at: third } = (await list(`/v1/deliveries/${made[2]}`)).delivery;

    expect(ids((await list(`${path}?state=exhausted`)).deliveries)).toEqual([made[3], made[1]]);
    expect(ids((await list(`${path}?state=pending,cancelled`)).deliveries)).toEqual([made[4], made[2]]);
    expect(ids((await list(`${path}?standing=given_up`)).deliveries)).toEqual([made[3], made[1]]);
    expect(ids((await list(`${path}?standing=retrying`)).deliveries)).toEqual([made[2]]);
    expect(ids((await list(`${path}?standing=waiting,delivered`)).deliveries)).toEqual([made[0]]);
    expect(ids((await list(`${path}?since=${third}`)).deliveries)).toEqual(made.slice(2).toReversed());
    expect(ids((await list(`${path}?before=${third}`)).deliveries)).toEqual(made.slice(0, 2).toReversed());
    expect((await list(`${path}?state=lost`)).errors[0].field).toBe('state');
  });

  it('can be filtered by a rare state behind 20,000 others', async () => {
    const webhook = await newWebhook();
    const others = Array.from({ length: 20_050 }, () => 'delivered' as const);
    const made = await insertPastDeliveries(desk, webhook, ['exhausted', ...others]);

    const { deliveries, meta } = await list(`/v1/webhooks/${webhook}/deliveries?state=exhausted`);

    expect(ids(deliveries)).toEqual([made[0]]);
    expect(meta.pagination).toMatchObject({ total_count: 1, next_page: null });
  });

  it('refuse a cursor of another list and a page beyond the counted ones', async () => {
    const path = `/v1/webhooks/${await newWebhook()}/deliveries`;

    expect((await list(`${path}?cursor=nonsense`)).errors[0].code).toBe('invalid_cursor');
    expect((await list(`${path}?page=100000`)).errors[0].code).toBe('page_too_far');
  });
});

describe('a delivery', () => {
  it('returns 404 when the caller cannot see its webhook', async () => {
    const [delivery] = await insertPastDeliveries(desk, await newWebhook(), ['delivered']);
    const stranger = await seedAccount(desk.sql);
    const agent = await seedAgent(desk.sql, desk.account.id);

    for (const token of [stranger.owner.token, agent.token]) {
      expect((await desk.client(token).get(`/v1/deliveries/${delivery}`)).body.error).toBe('delivery_not_found');
      expect((await desk.client(token).post(`/v1/deliveries/${delivery}/redeliver`)).status).toBe(404);
    }
    expect((await desk.client().get('/v1/deliveries/no-id')).status).toBe(404);
  });

  it('links to its webhook while the webhook exists', async () => {
    const webhook = await newWebhook();
    const [delivery] = await insertPastDeliveries(desk, webhook, ['delivered']);
    const links = async () => (await list(`/v1/deliveries/${delivery}`)).delivery.links;

    expect(await links()).toEqual({ webhook: { href: expect.stringMatching(`/v1/webhooks/${webhook}$`) } });
    await desk.client().delete(`/v1/webhooks/${webhook}`);
    expect(await links()).toEqual({});
  });

  it('returns 409 to a redelivery after its event was purged', async () => {
    const [delivery] = await insertPastDeliveries(desk, await newWebhook(), ['exhausted'], { eventKept: false });

    const { status, body } = await desk.client().post(`/v1/deliveries/${delivery}/redeliver`);

    expect([status, body.error]).toEqual([409, 'event_purged']);
    expect((await list(`/v1/deliveries/${delivery}`)).delivery).toMatchObject({ payload: null, attempts: [] });
  });

  it('enters the queue once when many clients redeliver it at the same moment', async () => {
    const [delivery] = await insertPastDeliveries(desk, await newWebhook(), ['exhausted']);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => desk.client().post(`/v1/deliveries/${delivery}/redeliver`)),
    );

    const { rows } = await desk.sql.query('select attempts from owed_deliveries where delivery_id = $1', [delivery]);
    expect(answers.every(({ status, body }) => status === 202 && body.delivery.state === 'pending')).toBe(true);
    expect(rows).toEqual([{ attempts: 1 }]);
  });
});
