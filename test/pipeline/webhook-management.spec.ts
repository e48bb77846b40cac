import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { type Reply, verify } from '#test/support/receiver.js';

const desk = await startDesk();
await desk.worker();
afterAll(() => desk.stop());

const post = async (path: string, body?: unknown) => (await desk.client().post(path, body)).body;
const setState = (id: string, state: string) => desk.client().patch(`/v1/webhooks/${id}`, { state });
const deliveriesOf = async (id: string) => (await desk.client().get(`/v1/webhooks/${id}/deliveries`)).body.deliveries;
const storyOf = async (id: string) => (await desk.client().get(`/v1/deliveries/${id}`)).body.delivery;

/** A receiver with its own webhook that gets only tests: no ticket moves here. */
async function stage(replies: Reply[] = [204], event = 'ticket_moved') {
  const receiver = await desk.receiver({ replies });
  const webhook = await desk.webhook(event, receiver.url);
  const test = async () => (await post(`/v1/webhooks/${webhook.id}/test`)).delivery;
  return { receiver, webhook, test };
}

const settled = (id: string) =>
  eventually(async () => {
    const story = await storyOf(id);
    return story.state !== 'pending' && story;
  });

describe('a test event', () => {
  it('carries a sample of its kind to this webhook only, signed and marked as a test', async () => {
    const { receiver, webhook, test } = await stage();
    const other = await stage();

    const delivery = await test();

    const [request] = await receiver.received(1);
    verify(request!, webhook.secret);
    expect(request!.json).toMatchObject({ number: 2_147_483_647, mailbox: 'Invoices' });
    expect(request!.headers).toMatchObject({ 'webhook-id': delivery.event_id, 'webhook-test': 'true' });
    expect(await settled(delivery.id)).toMatchObject({ state: 'delivered', test: true, payload: request!.json });
    const own = await other.test();
    expect((await other.receiver.received(1))[0]!.headers['webhook-id']).toBe(own.event_id);
  });

  it('never reaches a disabled webhook', async () => {
    const { webhook } = await stage();
    await desk.sql.query("update webhooks set state = 'disabled' where id = $1", [webhook.id]);

    const { status, body } = await desk.client().post(`/v1/webhooks/${webhook.id}/test`);

    expect([status, body.error]).toEqual([409, 'webhook_disabled']);
  });
});

describe('a delivery', () => {
  it('shows the time, duration, response and next step of every attempt', async () => {
    const { test } = await stage([{ status: 503, body: 'later' }, 200]);

    const story = await settled((await test()).id);

    expect(story).toMatchObject({ state: 'delivered', attempt_count: 2, last_status: 200, next_attempt_at: null });
    expect(story.attempts).toMatchObject([
      { number: 1, status: 503, response_body: 'later', next_reason: 'schedule', error: null },
      { number: 2, status: 200, next_reason: null },
    ]);
    expect(story.attempts[0].request_headers).toMatchObject({
      'webhook-event': 'ticket_moved',
      'webhook-attempt': '1',
    });
    expect(story.attempts[0].request_headers).not.toHaveProperty('webhook-signature');
  });

  it('explains in one word and one sentence why there was no response', async () => {
    const { webhook, receiver } = await stage();
    await receiver.stop();

    await post(`/v1/webhooks/${webhook.id}/test`);

    const [delivery] = await eventually(async () => {
      const list = await deliveriesOf(webhook.id);
      return list[0]?.attempt_count > 0 && list;
    });
    const [attempt] = (await storyOf(delivery.id)).attempts;
    expect(attempt).toMatchObject({ status: null, error: 'connect', error_detail: expect.stringMatching(/\w+ \w+/) });
  });

  it('can be sent again as the same event, and its attempts keep counting', async () => {
    const { receiver, test } = await stage();
    const delivery = await settled((await test()).id);

    const { status, headers } = await desk.client().post(`/v1/deliveries/${delivery.id}/redeliver`);

    const [first, second] = await receiver.received(2);
    expect([status, headers.get('location')]).toEqual([202, delivery.href]);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.headers['webhook-attempt']).toBe('2');
    expect(second!.body).toBe(first!.body);
    expect(await eventually(async () => (await settled(delivery.id)).attempt_count === 2)).toBe(true);
  });

  it('can be sent again after its last attempt failed', async () => {
    const { receiver, test } = await stage([500]);
    const given = await settled((await test()).id);
    receiver.reply(200);

    await post(`/v1/deliveries/${given.id}/redeliver`);

    expect(given).toMatchObject({ state: 'exhausted', attempt_count: 5 });
    expect(await settled(given.id)).toMatchObject({ state: 'delivered', attempt_count: 6 });
  });
});

describe('a rotated secret', () => {
  it('still signs, next to the new one', async () => {
    const { receiver, webhook, test } = await stage();
    const { secrets } = await post(`/v1/webhooks/${webhook.id}/secret/rotate`);

    await test();

    const [request] = await receiver.received(1);
    verify(request!, webhook.secret);
    verify(request!, secrets[0].secret);
    expect(secrets[0].secret).not.toBe(webhook.secret);
    expect(String(request!.headers['webhook-signature']).split(' ')).toHaveLength(4);
  });
});

describe('a paused webhook', () => {
  it('keeps its deliveries, and sends them on resume', async () => {
    const { receiver, webhook } = await stage([204], 'ticket_started');
    await setState(webhook.id, 'paused');
    const { number } = await startTicket(desk);
    const held = await eventually(async () => (await deliveriesOf(webhook.id))[0]);

    await setState(webhook.id, 'active');

    const [request] = await receiver.received(1);
    expect(held).toMatchObject({ state: 'pending', attempt_count: 0 });
    expect(request!.json['number']).toBe(number);
  });
});

describe('a deleted webhook', () => {
  it('gets nothing more, and its deliveries are cancelled', async () => {
    const { webhook, test } = await stage();
    await setState(webhook.id, 'paused');
    const delivery = await test();

    await desk.client().delete(`/v1/webhooks/${webhook.id}`);

    expect(await settled(delivery.id)).toMatchObject({ state: 'cancelled', attempts: [] });
    const { status, body } = await desk.client().post(`/v1/deliveries/${delivery.id}/redeliver`);
    expect([status, body.error]).toEqual([409, 'webhook_deleted']);
    expect((await desk.sql.query('select 1 from owed_deliveries where webhook_id = $1', [webhook.id])).rowCount).toBe(
      0,
    );
  });
});

describe('a receiver', () => {
  it('becomes disabled by its 410, and can be enabled again', async () => {
    const { receiver, webhook, test } = await stage([410, 204]);
    const read = async () => (await desk.client().get(`/v1/webhooks/${webhook.id}`)).body.webhook;

    const delivery = await settled((await test()).id);

    expect(delivery).toMatchObject({ state: 'cancelled', attempts: [{ status: 410, next_reason: 'gone' }] });
    expect(await eventually(async () => (await read()).state === 'disabled' && read())).toMatchObject({
      disabled_reason: 'gone',
    });
    await setState(webhook.id, 'active');
    await test();
    expect(await receiver.received(2)).toHaveLength(2);
  });

  it('gets nothing during a requested pause', async () => {
    const { receiver, test } = await stage([{ status: 429, headers: { 'retry-after': '2' } }, 204]);
    const { id } = await test();
    await eventually(async () => (await storyOf(id)).attempts.length === 1);

    await test();

    const [asked, next] = await receiver.received(2);
    expect(next!.at - asked!.at).toBeGreaterThanOrEqual(1_900);
  });
});
