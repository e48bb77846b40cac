import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { type Desk, startDesk } from '../support/desk.js';
import { seedAccount, seedAgent, seedApplication, seedToken } from '../support/seed.js';

const URL = 'https://receiver.example/hooks';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ settings: { WEBHOOKS_PER_ACCOUNT: '60' } });
});
afterAll(() => desk.stop());

/** An address that has no webhook yet. */
const newUrl = (() => {
  let count = 0;
  return (): string => `${URL}/${++count}`;
})();

const register = async (client: ApiClient, event = 'ticket_started', url = newUrl()) =>
  (await client.post('/v1/webhooks', { event, url })).body.webhook;
const idsOf = async (client: ApiClient, query = '') =>
  (await client.get(`/v1/webhooks?per_page=50${query}`)).body.webhooks.map(({ id }: { id: string }) => id);

/** An application that a person of the account, its owner unless said, has let in. */
async function application(name: string, agentId = desk.account.owner.id): Promise<ApiClient> {
  const applicationId = await seedApplication(desk.sql, name);
  const scopes = ['read', 'webhooks'] as const;
  const token = await seedToken(desk.sql, { accountId: desk.account.id, agentId, applicationId, scopes: [...scopes] });
  return desk.client(token);
}

const secretsOf = async (id: string) => (await desk.client().get(`/v1/webhooks/${id}/secret`)).body.secrets;
const rotate = async (id: string) => (await desk.client().post(`/v1/webhooks/${id}/secret/rotate`)).body.secrets;

/** As far as this client can see, there is no such webhook. */
const untouchable = async (client: ApiClient, id: string) => {
  const path = `/v1/webhooks/${id}`;
  const answers = [
    await client.get(path),
    await client.patch(path, { state: 'paused' }),
    await client.get(`${path}/secret`),
    await client.post(`${path}/secret/rotate`),
    await client.post(`${path}/test`),
    await client.get(`${path}/deliveries`),
    await client.post(`${path}/replay`, {}),
    await client.get(`${path}/replays`),
    await client.delete(path),
  ];
  return answers.every(({ status, body }) => status === 404 && body.error === 'webhook_not_found');
};

/** One that an application made which has lost its access since. */
async function revoked() {
  const app = await application('Revoked');
  const { id } = await register(app);
  await desk.sql.query(
    `with ended as (update grants set revoked_at = now() where id = (select grant_id from webhooks where id = $1))
     update webhooks set state = 'disabled', disabled_reason = 'access_revoked' where id = $1`,
    [id],
  );
  return id as string;
}

describe('A webhook', () => {
  it('is created as the specification says, with its href and its secret', async () => {
    const answer = await desk.client().post('/v1/webhooks', { event: 'ticket_closed', url: URL });

    const { webhook } = answer.body;
    expect(answer.status).toBe(201);
    expect(Object.keys(webhook).slice(0, 3)).toEqual(['event', 'url', 'state']);
    expect(webhook).toMatchObject({ event: 'ticket_closed', url: URL, state: 'active', application: null });
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.headers.get('location')).toBe(webhook.href);
  });

  it('can be read at its href, without the secret', async () => {
    const { secret: _, ...made } = await register(desk.client());

    const { status, body } = await desk.client().get(`/v1/webhooks/${made.id}`);

    expect([status, body]).toEqual([200, { webhook: made }]);
  });

  it('is listed with those of its kind and state, newest first', async () => {
    const first = await register(desk.client(), 'note_added');
    const second = await register(desk.client(), 'note_added');
    await desk.client().patch(`/v1/webhooks/${first.id}`, { state: 'paused' });

    expect(await idsOf(desk.client(), '&event=note_added')).toEqual([second.id, first.id]);
    expect(await idsOf(desk.client(), '&event=note_added&state=paused')).toEqual([first.id]);
    expect((await desk.client().get('/v1/webhooks?event=nothing')).body.errors[0].code).toBe('unknown_event_kind');
  });

  it('can change its URL and its state', async () => {
    const { id } = await register(desk.client());
    const change = async (body: object) => (await desk.client().patch(`/v1/webhooks/${id}`, body)).body.webhook;

    expect(await change({ url: 'https://elsewhere.example/' })).toMatchObject({ url: 'https://elsewhere.example/' });
    expect(await change({ state: 'paused' })).toMatchObject({ state: 'paused' });
    expect(await change({ state: 'active' })).toMatchObject({ state: 'active', url: 'https://elsewhere.example/' });
  });

  it('refuses invalid URLs and states', async () => {
    const { id } = await register(desk.client());
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

  it('is changed only if the client has read its latest version', async () => {
    const { id } = await register(desk.client());
    const etag = (await desk.client().get(`/v1/webhooks/${id}`)).headers.get('etag')!;
    const pause = async () =>
      (await desk.client().patch(`/v1/webhooks/${id}`, { state: 'paused' }, { 'if-match': etag })).status;

    expect([await pause(), await pause()]).toEqual([200, 412]);
  });

  it('stays disabled if the operator disabled it, whoever in the account turns it on', async () => {
    const { id } = await desk.webhook('ticket_closed', 'https://example.com/stopped');
    await desk.sql.query("update webhooks set state = 'disabled', disabled_reason = 'operator' where id = $1", [id]);
    for (const state of ['active', 'paused']) {
      const refused = await desk.client().patch(`/v1/webhooks/${id}`, { state });
      expect([refused.status, refused.body.error]).toEqual([409, 'disabled_by_operator']);
    }
    const mended = await desk.client().patch(`/v1/webhooks/${id}`, { url: 'https://example.com/mended' });
    expect(mended.body.webhook).toMatchObject({ state: 'disabled', disabled_reason: 'operator' });
  });

  it('starts afresh when it is turned on after it was disabled', async () => {
    const { id } = await register(desk.client());
    await desk.sql.query(
      "update webhooks set state = 'disabled', disabled_reason = 'failing', failing_since = now(), slow_until = now() where id = $1",
      [id],
    );

    const { body } = await desk.client().patch(`/v1/webhooks/${id}`, { state: 'active' });

    const { rows } = await desk.sql.query('select failing_since, slow_until from webhooks where id = $1', [id]);
    expect(body.webhook).toMatchObject({ state: 'active', disabled_reason: null });
    expect(rows).toEqual([{ failing_since: null, slow_until: null }]);
  });

  it('is gone for everybody when it is deleted', async () => {
    const { id } = await register(desk.client());

    expect((await desk.client().delete(`/v1/webhooks/${id}`)).status).toBe(204);
    expect((await desk.client().delete(`/v1/webhooks/${id}`)).status).toBe(404);
    expect((await desk.client().get(`/v1/webhooks/${id}`)).body.error).toBe('webhook_not_found');
  });

  it('answers 404 for what is no id', async () => {
    for (const id of ['1', '%00', 'x'.repeat(500), '00000000-0000-0000-0000-000000000000'])
      expect((await desk.client().get(`/v1/webhooks/${id}`)).status).toBe(404);
  });

  it('records who did what', async () => {
    const { id } = await register(desk.client());
    await desk.client().get(`/v1/webhooks/${id}/secret`);
    await desk.client().delete(`/v1/webhooks/${id}`);

    const { rows } = await desk.sql.query(
      "select kind, agent_id from activities where detail ->> 'webhook' = $1 order by id",
      [id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['webhook_created', 'webhook_secret_read', 'webhook_deleted']);
    expect(rows.every(({ agent_id }) => agent_id === desk.account.owner.id)).toBe(true);
  });

  it('needs the scope webhooks or admin', async () => {
    const token = await seedToken(desk.sql, {
      accountId: desk.account.id,
      agentId: desk.account.owner.id,
      scopes: ['read', 'write'],
    });

    for (const path of ['', '/x', '/x/secret', '/x/deliveries', '/x/replays'])
      expect((await desk.client(token).get(`/v1/webhooks${path}`)).status).toBe(403);
  });
});

describe('Secrets', () => {
  it('can be read again, and are never cached', async () => {
    const { id, secret } = await register(desk.client());

    const answer = await desk.client().get(`/v1/webhooks/${id}/secret`);

    expect(answer.body).toEqual({ secrets: [{ secret, created_at: expect.any(String), expires_at: null }] });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('etag')).toBeNull();
  });

  it('are both valid for a day after a rotation, the new one first', async () => {
    const { id, secret } = await register(desk.client());

    const rotated = await rotate(id);

    expect(rotated).toHaveLength(2);
    expect(rotated[0].expires_at).toBeNull();
    expect(rotated[1].secret).toBe(secret);
    expect(Date.parse(rotated[1].expires_at) - Date.parse(rotated[0].created_at)).toBe(86_400_000);
    expect(await secretsOf(id)).toEqual(rotated);
    desk.clock.advance({ days: 1, seconds: 1 });
    expect((await secretsOf(id)).map((one: { secret: string }) => one.secret)).toEqual([rotated[0].secret]);
  });

  it('never become more than five, however often they are rotated', async () => {
    const { id, secret } = await register(desk.client());
    const made: string[] = [secret];
    for (let time = 0; time < 7; time++) made.unshift((await rotate(id))[0].secret);

    expect((await secretsOf(id)).map((one: { secret: string }) => one.secret)).toEqual(made.slice(0, 5));
  });

  it('are encrypted in the database', async () => {
    const { id, secret } = await register(desk.client());
    const { rows } = await desk.sql.query('select sealed from webhook_secrets where webhook_id = $1', [id]);

    expect(rows[0].sealed.toString('latin1')).not.toContain(secret.slice(6, 20));
  });
});

describe('Who sees which webhooks', () => {
  it('an application sees its own, with its name', async () => {
    const [one, other] = [await application('One'), await application('Other')];

    const webhook = await register(one);

    expect(webhook.application).toBe('One');
    expect(await idsOf(one)).toEqual([webhook.id]);
    expect(await idsOf(other)).toEqual([]);
    expect(await untouchable(other, webhook.id)).toBe(true);
  });

  it('a person without the scope admin sees those they made themselves', async () => {
    const person = { role: 'admin', scopes: ['read', 'webhooks'] } as const;
    const seed = () => seedAgent(desk.sql, desk.account.id, { ...person, scopes: [...person.scopes] });
    const [one, other] = [await seed(), await seed()];

    const webhook = await register(desk.client(one.token));

    expect(await idsOf(desk.client(one.token))).toEqual([webhook.id]);
    expect(await untouchable(desk.client(other.token), webhook.id)).toBe(true);
  });

  it('owners see all of the account with the scope admin', async () => {
    const admin = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
    const webhook = await register(desk.client(admin.token));
    const { id: accountId, owner } = desk.account;
    const narrow = await seedToken(desk.sql, { accountId, agentId: owner.id, scopes: ['read', 'webhooks'] });

    expect(await idsOf(desk.client())).toContain(webhook.id);
    expect(await untouchable(desk.client(narrow), webhook.id)).toBe(true);
  });

  it('another account sees none of them', async () => {
    const webhook = await register(desk.client());
    const stranger = await seedAccount(desk.sql);

    expect(await idsOf(desk.client(stranger.owner.token))).toEqual([]);
    expect(await untouchable(desk.client(stranger.owner.token), webhook.id)).toBe(true);
  });
});

describe('A webhook whose maker lost access', () => {
  it('cannot be turned on by others', async () => {
    const { status, body } = await desk.client().patch(`/v1/webhooks/${await revoked()}`, { state: 'active' });

    expect([status, body.error]).toEqual([409, 'access_revoked']);
  });

  it('can be turned on by its maker once they have access again', async () => {
    const id = await revoked();
    const { rows } = await desk.sql.query('select application_id from webhooks where id = $1', [id]);
    const { id: accountId, owner } = desk.account;
    const again = await seedToken(desk.sql, { accountId, agentId: owner.id, applicationId: rows[0].application_id });

    const { body } = await desk.client(again).patch(`/v1/webhooks/${id}`, { state: 'active' });

    const made = await desk.sql.query(
      'select revoked_at from grants g join webhooks w on w.grant_id = g.id where w.id = $1',
      [id],
    );
    expect(body.webhook.state).toBe('active');
    expect(made.rows).toEqual([{ revoked_at: null }]);
  });
});

describe('An account', () => {
  it('cannot have more webhooks than the operator allows', async () => {
    const { owner } = await seedAccount(desk.sql);
    for (let count = 0; count < 60; count++) await register(desk.client(owner.token));

    const { status, body } = await desk.client(owner.token).post('/v1/webhooks', { event: 'note_added', url: URL });

    expect([status, body.error]).toEqual([409, 'too_many_webhooks']);
  });
});
