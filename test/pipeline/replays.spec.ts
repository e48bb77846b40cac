import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

const desk = await startDesk();
afterAll(() => desk.stop());

const replay = (id: string, body: object = {}) => desk.client().post(`/v1/webhooks/${id}/replay`, body);
const read = async (id: string) => (await desk.client().get(`/v1/replays/${id}`)).body.replay;
const ended = (id: string) =>
  eventually(async () => {
    const found = await read(id);
    return found.finished_at !== null && found;
  });
const failed = (count: number) => Array.from({ length: count }, () => 'exhausted' as const);

async function webhookWith(states: Parameters<typeof insertPastDeliveries>[2], event = 'ticket_started') {
  const receiver = await desk.receiver();
  const webhook = await desk.webhook(event, receiver.url);
  return { receiver, webhook, deliveries: await insertPastDeliveries(desk, webhook.id, states) };
}

/** A replay that has begun to send, and does not end by itself. */
async function halfDone() {
  const { webhook } = await webhookWith(failed(700));
  await desk.client().patch(`/v1/webhooks/${webhook.id}`, { state: 'paused' });
  const { id } = (await replay(webhook.id)).body.replay;
  await eventually(async () => (await read(id)).redelivered > 0);
  return { webhook, id };
}

describe('a replay', () => {
  it('resends all failed deliveries and nothing else', async () => {
    await desk.worker();
    const { receiver, webhook } = await webhookWith([...failed(400), 'delivered', 'cancelled']);

    const { status, body, headers } = await replay(webhook.id);

    expect([status, headers.get('location')]).toEqual([202, body.replay.href]);
    expect(body.replay).toMatchObject({ state: 'counting', total: null, redelivered: 0, only: 'failed' });
    expect(await ended(body.replay.id)).toMatchObject({ state: 'done', total: 401, redelivered: 401 });
    const requests = await receiver.received(401);
    await startTicket(desk);
    const last = (await receiver.received(402)).at(-1);
    expect(new Set(requests.map(({ headers: { 'webhook-id': id } }) => id)).size).toBe(401);
    expect(requests.every(({ headers: { 'webhook-attempt': attempt } }) => attempt === '2')).toBe(true);
    expect(last!.headers['webhook-attempt']).toBe('1');
  });

  it('resends everything of a period on request', async () => {
    const { receiver, webhook, deliveries } = await webhookWith(['delivered', 'exhausted', 'delivered', 'exhausted']);
    const { created_at: since } = (await desk.client().get(`/v1/deliveries/${deliveries[1]}`)).body.delivery;
    const { created_at: before } = (await desk.client().get(`/v1/deliveries/${deliveries[3]}`)).body.delivery;

    const { body } = await replay(webhook.id, { only: 'all', since, before });

    expect(await ended(body.replay.id)).toMatchObject({ state: 'done', total: 2, since, before });
    expect(await receiver.received(2)).toHaveLength(2);
  });

  it('leaves out test events, in its preview too', async () => {
    const { receiver, webhook } = await webhookWith(['delivered'], 'note_added');
    await desk.client().post(`/v1/webhooks/${webhook.id}/test`);
    await receiver.received(1);
    await eventually(async () => {
      const { body } = await desk.client().get(`/v1/webhooks/${webhook.id}/deliveries?standing=delivered`);
      return body.deliveries.length === 2;
    });
    for (const path of [`/v1/webhooks/${webhook.id}/replay?only=all`, '/v1/replays/preview?only=all&event=note_added'])
      expect((await desk.client().get(path)).body.preview.deliveries).toBe(1);

    const { body } = await replay(webhook.id, { only: 'all' });

    expect(await ended(body.replay.id)).toMatchObject({ state: 'done', total: 1, redelivered: 1 });
    const [tested, replayed] = await receiver.received(2);
    expect([tested, replayed].map((request) => request!.headers['webhook-test'])).toEqual(['true', undefined]);
  });

  it('covers all webhooks: first announced, then one replay for each with deliveries to send', async () => {
    const { receiver, webhook } = await webhookWith([...failed(2), 'delivered'], 'ticket_tagged');
    const other = await webhookWith(failed(1), 'ticket_tagged');
    const running = await webhookWith(failed(1), 'ticket_tagged');
    const disabled = await webhookWith(failed(1), 'ticket_tagged');
    await desk.sql.query("update webhooks set state = 'disabled' where id = $1", [disabled.webhook.id]);
    await desk.sql.query(
      `insert into replays (id, account_id, webhook_id, agent_id, choice, since, before, state, next_step_at, created_at)
       values (gen_random_uuid(), $1, $2, $3, 'failed', now(), now(), 'counting', now() + interval '1 hour', now())`,
      [desk.account.id, running.webhook.id, desk.account.owner.id],
    );
    const preview = (await desk.client().get('/v1/replays/preview?event=ticket_tagged')).body.preview;
    expect(preview).toMatchObject({ deliveries: 3, webhooks: 2, capped: false });
    expect((await desk.client().get('/v1/replays/preview?event=ticket_closed')).body.preview.deliveries).toBe(0);

    const { status, body } = await desk.client().post('/v1/replays', { event: 'ticket_tagged' });

    expect(status).toBe(201);
    const started = body.replays as { id: string; href: string; links: { webhook: { href: string } } }[];
    expect(new Set(started.map(({ links }) => links.webhook.href.split('/').at(-1)))).toEqual(
      new Set([webhook.id, other.webhook.id]),
    );
    for (const { id } of started) await ended(id);
    expect(await receiver.received(2)).toHaveLength(2);
    expect(await other.receiver.received(1)).toHaveLength(1);
    // A delivery that arrived is in flight until its outcome is recorded.
    await eventually(async () => {
      const { body: said } = await desk.client().get('/v1/replays/preview?event=ticket_tagged&only=retrying');
      return said.preview.deliveries === 0;
    });
    const nothing = await desk.client().post('/v1/replays', { event: 'ticket_tagged', only: 'retrying' });
    expect(nothing.body.replays).toEqual([]);
    const listed = (await desk.client().get('/v1/replays')).body.replays as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(started.map(({ id }) => id)));
    await desk.sql.query('update replays set finished_at = now() where webhook_id = $1', [running.webhook.id]);
  });

  it('resumes after a worker is killed', async () => {
    const { webhook } = await webhookWith(failed(600));
    const fragile = await desk.worker();
    const { body } = await replay(webhook.id);
    await eventually(async () => (await read(body.replay.id)).redelivered > 0);

    await fragile.kill9();

    expect(await ended(body.replay.id)).toMatchObject({ state: 'done', total: 600, redelivered: 600 });
  });

  it('finishes at once without deliveries', async () => {
    const { webhook } = await webhookWith(['delivered']);

    const { body } = await replay(webhook.id);

    expect(await ended(body.replay.id)).toMatchObject({ state: 'done', total: 0, redelivered: 0 });
  });

  it('allows no second one for its webhook, and can be cancelled', async () => {
    const { webhook, id } = await halfDone();

    const second = await replay(webhook.id);
    const cancelled = await desk.client().post(`/v1/replays/${id}/cancel`);
    const again = await desk.client().post(`/v1/replays/${id}/cancel`);

    expect([second.status, second.body.error]).toEqual([409, 'replay_running']);
    expect(cancelled.body.replay).toMatchObject({ state: 'cancelled', total: 700 });
    expect(cancelled.body.replay.redelivered).toBeLessThan(700);
    expect(again.body).toEqual(cancelled.body);
    expect((await desk.client().get(`/v1/webhooks/${webhook.id}/replays`)).body.replays).toEqual([
      cancelled.body.replay,
    ]);
  });

  it('ends with its webhook', async () => {
    const { webhook, id } = await halfDone();

    await desk.client().delete(`/v1/webhooks/${webhook.id}`);

    const { rows } = await desk.sql.query('select state from replays where id = $1', [id]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
    expect((await desk.client().get(`/v1/replays/${id}`)).status).toBe(404);
  });

  it('refuses an invalid period and a disabled webhook', async () => {
    const { webhook } = await webhookWith([]);
    const now = new Date().toISOString();

    expect((await replay(webhook.id, { since: now, before: '2020-01-01' })).body.errors[0].code).toBe('empty_range');
    expect((await replay(webhook.id, { only: 'some' })).body.errors[0].field).toBe('only');
    await desk.sql.query("update webhooks set state = 'disabled' where id = $1", [webhook.id]);
    expect((await replay(webhook.id)).body.error).toBe('webhook_disabled');
  });
});
