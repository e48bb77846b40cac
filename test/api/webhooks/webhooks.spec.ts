import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { seedAccount, seedToken } from '#test/support/seed.js';
import { registerWebhook, webhookIdsOf } from '#test/support/webhooks.js';

const URL = 'https://receiver.example/hooks';

const desk = deskForFile({ settings: { WEBHOOKS_PER_ACCOUNT: '60' } });

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

  it('can be read at its href, without the secret', async () => {
    const { secret: _, ...made } = await registerWebhook(desk.client());

    const { status, body } = await desk.client().get(`/v1/webhooks/${made.id}`);

    expect([status, body]).toEqual([200, { webhook: made }]);
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

  it('refuses invalid URLs and states', async () => {
    const { id } = await registerWebhook(desk.client());
    const refuse = async (body: object) => (await desk.client().patch(`/v1/webhooks/${id}`, body)).body;

    expect((await refuse({ url: 'ftp://receiver.example/' })).errors[0].field).toBe('url');
    expect((await refuse({ url: 7 })).errors[0].field).toBe('url');
    expect((await refuse({ state: 'disabled' })).errors[0].field).toBe('state');
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

  it('requires the scope webhooks or admin', async () => {
    const token = await seedToken(desk.sql, {
      accountId: desk.account.id,
      agentId: desk.account.owner.id,
      scopes: ['read', 'write'],
    });

    for (const path of ['', '/x', '/x/secret', '/x/deliveries', '/x/replays'])
      expect((await desk.client(token).get(`/v1/webhooks${path}`)).status).toBe(403);
  });
});

describe('an account', () => {
  it('cannot have more webhooks than the operator allows', async () => {
    const { owner } = await seedAccount(desk.sql);
    for (let count = 0; count < 60; count++) await registerWebhook(desk.client(owner.token));

    const { status, body } = await desk.client(owner.token).post('/v1/webhooks', { event: 'note_added', url: URL });

    expect([status, body.error]).toEqual([409, 'too_many_webhooks']);
  });
});
