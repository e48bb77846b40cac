import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { registerWebhook, webhookIdsOf } from '#test/support/webhooks.js';

const URL = 'https://receiver.example/hooks';

const desk = deskForFile();

describe('a webhook', () => {
  it('has the fields of the specification, its href and its secret after creation', async () => {
    const answer = await desk.client().post('/v1/webhooks', { event: 'ticket_closed', url: URL });

    const { webhook } = answer.body;
    expect(answer.status).toBe(201);
    expect(Object.keys(webhook).slice(0, 3)).toEqual(['event', 'url', 'state']);
    expect(webhook).toMatchObject({ event: 'ticket_closed', url: URL, state: 'active', application: null });
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.headers.get('location')).toBe(webhook.href);
  });

  it('appears in lists by kind and state, newest first', async () => {
    const first = await registerWebhook(desk.client(), 'note_added');
    const second = await registerWebhook(desk.client(), 'note_added');
    await desk.client().patch(`/v1/webhooks/${first.id}`, { state: 'paused' });

    expect(await webhookIdsOf(desk.client(), '&event=note_added')).toEqual([second.id, first.id]);
    expect(await webhookIdsOf(desk.client(), '&event=note_added&state=paused')).toEqual([first.id]);
    expect((await desk.client().get('/v1/webhooks?event=nothing')).body.errors[0].code).toBe('unknown_event_kind');
  });

  it('can change its URL and its state', async () => {
    const { id } = await registerWebhook(desk.client());
    const change = async (body: object) => (await desk.client().patch(`/v1/webhooks/${id}`, body)).body.webhook;

    expect(await change({ url: 'https://elsewhere.example/' })).toMatchObject({ url: 'https://elsewhere.example/' });
    expect(await change({ state: 'paused' })).toMatchObject({ state: 'paused' });
    expect(await change({ state: 'active' })).toMatchObject({ state: 'active', url: 'https://elsewhere.example/' });
  });

  it('reports every fault at once', async () => {
    const wrong = { event: 'bogus', url: 'ftp://receiver.example/' };

    const { status, body } = await desk.client().post('/v1/webhooks', wrong);

    expect(status).toBe(422);
    expect(body.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['event', 'unknown_event_kind'],
      ['url', 'url_scheme'],
    ]);
  });

  it('changes only if the client has read its latest version', async () => {
    const { id } = await registerWebhook(desk.client());
    const etag = (await desk.client().get(`/v1/webhooks/${id}`)).headers.get('etag')!;
    const pause = async () =>
      (await desk.client().patch(`/v1/webhooks/${id}`, { state: 'paused' }, { 'if-match': etag })).status;

    expect([await pause(), await pause()]).toEqual([200, 412]);
  });

  it('stays disabled after the operator disabled it', async () => {
    const { id } = await desk.webhook('ticket_closed', 'https://example.com/stopped');
    await desk.sql.query("update webhooks set state = 'disabled', disabled_reason = 'operator' where id = $1", [id]);
    for (const state of ['active', 'paused']) {
      const refused = await desk.client().patch(`/v1/webhooks/${id}`, { state });
      expect([refused.status, refused.body.error]).toEqual([409, 'disabled_by_operator']);
    }
    const mended = await desk.client().patch(`/v1/webhooks/${id}`, { url: 'https://example.com/mended' });
    expect(mended.body.webhook).toMatchObject({ state: 'disabled', disabled_reason: 'operator' });
  });

  it('starts without earlier failures when it is enabled again', async () => {
    const { id } = await registerWebhook(desk.client());
    await desk.sql.query(
      "update webhooks set state = 'disabled', disabled_reason = 'failing', failing_since = now(), slow_until = now() where id = $1",
      [id],
    );

    const { body } = await desk.client().patch(`/v1/webhooks/${id}`, { state: 'active' });

    const { rows } = await desk.sql.query('select failing_since, slow_until from webhooks where id = $1', [id]);
    expect(body.webhook).toMatchObject({ state: 'active', disabled_reason: null });
    expect(rows).toEqual([{ failing_since: null, slow_until: null }]);
  });

  it('returns 404 after it was deleted', async () => {
    const { id } = await registerWebhook(desk.client());

    expect((await desk.client().delete(`/v1/webhooks/${id}`)).status).toBe(204);
    expect((await desk.client().delete(`/v1/webhooks/${id}`)).status).toBe(404);
    expect((await desk.client().get(`/v1/webhooks/${id}`)).body.error).toBe('webhook_not_found');
  });

  it('returns 404 for an invalid id', async () => {
    for (const id of ['1', '%00', 'x'.repeat(500), '00000000-0000-0000-0000-000000000000'])
      expect((await desk.client().get(`/v1/webhooks/${id}`)).status).toBe(404);
  });

  it('records who did what', async () => {
    const { id } = await registerWebhook(desk.client());
    await desk.client().get(`/v1/webhooks/${id}/secret`);
    await desk.client().delete(`/v1/webhooks/${id}`);

    const { rows } = await desk.sql.query(
      "select kind, agent_id from activities where detail ->> 'webhook' = $1 order by id",
      [id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['webhook_created', 'webhook_secret_read', 'webhook_deleted']);
    expect(rows.every(({ agent_id }) => agent_id === desk.account.owner.id)).toBe(true);
  });
});
