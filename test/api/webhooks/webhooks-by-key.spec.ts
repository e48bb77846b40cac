import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { seedAgent, seedApplication, seedToken } from '#test/support/seed.js';
import { letApplicationIn, registerWebhook, webhookIdsOf } from '#test/support/webhooks.js';

const desk = deskForFile();
let count = 0;
const newKey = () => `hooks:${++count}`;
const newUrl = () => `https://receiver.example/keyed/${++count}`;

const at = (url: string) => `&url=${encodeURIComponent(url)}`;

const ensure = (key: string, fields: object, client = desk.client(), headers = {}) =>
  client.put(`/v1/webhooks/by-key/${key}`, { event: 'ticket_started', ...fields }, headers);
const stateOf = async (id: string) => (await desk.client().get(`/v1/webhooks/${id}`)).body.webhook.state;

describe('a webhook under a key', () => {
  it('is created once with its secret, and then left alone', async () => {
    const [key, url] = [newKey(), newUrl()];
    const given = `whsec_${Buffer.alloc(32, count).toString('base64')}`;
    const first = await ensure(key, { url, name: 'Deploy', state: 'paused', secret: given });
    const again = await ensure(key, { url, name: 'Deploy', state: 'paused', secret: given });
    const { secret, ...webhook } = first.body.webhook;

    expect([first.status, first.body.created, first.body.changed]).toEqual([201, true, []]);
    expect(first.headers.get('location')).toBe(webhook.href);
    expect(webhook).toMatchObject({ name: 'Deploy', state: 'paused' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ webhook, created: false, changed: [] });
    expect(secret).toBe(given);
  });

  it('changes only what is given and different', async () => {
    const [key, url] = [newKey(), newUrl()];
    const { webhook } = (await ensure(key, { url, name: 'Old', signatures: ['v1a'] })).body;
    const moved = await ensure(key, { url: newUrl(), name: 'New' });
    const same = await ensure(key, { url: moved.body.webhook.url, signatures: ['v1', 'v1a'] });
    const cleared = await ensure(key, { url: moved.body.webhook.url, name: null, state: 'paused', signatures: ['v1'] });

    expect(moved.body.webhook).toMatchObject({ id: webhook.id, name: 'New', signatures: ['v1', 'v1a'] });
    expect([moved.body.changed, same.body.changed]).toEqual([['url', 'name'], []]);
    expect(cleared.body.changed).toEqual(['name', 'state', 'signatures']);
    expect(cleared.body.webhook.name).toBeNull();
  });

  it('takes over a webhook without a key that has the same event and URL', async () => {
    const own = await registerWebhook(desk.client(), 'ticket_started', newUrl());
    const adopted = await ensure(newKey(), { url: own.url });
    const other = await ensure(newKey(), { url: own.url });

    expect([adopted.status, adopted.body.webhook.id, adopted.body.changed]).toEqual([200, own.id, ['key']]);
    expect(other.body.existing).toEqual([{ id: own.id, href: own.href, event: 'ticket_started' }]);
    expect([other.status, other.body.errors[0].code]).toEqual([422, 'already_registered']);
  });

  it('stays disabled until the state active is given', async () => {
    const [key, url] = [newKey(), newUrl()];
    const { id } = (await ensure(key, { url })).body.webhook;
    await desk.sql.query("update webhooks set state = 'disabled', disabled_reason = 'failing' where id = $1", [id]);

    expect((await ensure(key, { url })).body.changed).toEqual([]);
    expect(await stateOf(id)).toBe('disabled');
    expect((await ensure(key, { url, state: 'active' })).body.changed).toEqual(['state']);
    expect(await stateOf(id)).toBe('active');
  });

  it('belongs to its maker: an application of the account, or a person', async () => {
    const [key, url] = [newKey(), newUrl()];
    const admin = desk.client((await seedAgent(desk.sql, desk.account.id, { role: 'admin' })).token);
    const clients = [desk.client(), admin, await letApplicationIn(desk, 'Deployer')];
    const made = await Promise.all(clients.map((client) => ensure(key, { url }, client)));

    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ body }) => body.webhook.id)).size).toBe(3);
  });

  it('is created once by twenty agents of an application in two processes', async () => {
    const [key, url] = [newKey(), newUrl()];
    const applicationId = await seedApplication(desk.sql, 'Twenty');
    const second = await desk.apiProcess();
    const clients = await Promise.all(
      Array.from({ length: 20 }, async (_, place) => {
        const { id: agentId } = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
        const token = await seedToken(desk.sql, { accountId: desk.account.id, agentId, applicationId });
        const client = desk.client(token);
        return place % 2 ? client : Object.assign(client, { base: second.base });
      }),
    );
    const answers = await Promise.all(clients.map((client) => ensure(key, { url }, client)));
    const statuses = answers.map(({ status }) => status);

    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    expect(statuses).toContain(201);
    expect(await webhookIdsOf(desk.client(), at(url))).toEqual([answers[0]!.body.webhook.id]);
  });
});

describe('a request with a key', () => {
  it.each([
    ['no event', '', { event: undefined }, 'event'],
    ['an unknown event', '', { event: 'nonsense' }, 'event'],
    ['events', '', { event: undefined, events: ['ticket_started'] }, 'event'],
    ['no URL', '', { url: undefined }, 'url'],
    ['a malformed URL', '', { url: 'nowhere' }, 'url'],
    ['a state that is not for clients', '', { state: 'disabled' }, 'state'],
    ['a long name', '', { name: 'x'.repeat(201) }, 'name'],
    ['a malformed secret', '', { secret: 'whsec_?' }, 'secret'],
    ['a space in the key', 'a%20b', {}, 'key'],
    ['a long key', 'x'.repeat(101), {}, 'key'],
    ['a line break after the key', 'x%0A', {}, 'key'],
  ])('answers 422 for %s, and names the field', async (_what, key, fields, field) => {
    const { status, body } = await ensure(key || newKey(), { url: newUrl(), ...fields });

    expect([status, body.errors.map((one: { field: string }) => one.field)]).toEqual([422, [field]]);
  });

  it('answers 422 for another event, and for a secret that does not sign', async () => {
    const [key, url] = [newKey(), newUrl()];
    await ensure(key, { url });
    const event = await ensure(key, { url, event: 'ticket_closed' });
    const secret = await ensure(key, { url, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` });

    expect([event.status, event.body.errors]).toMatchObject([422, [{ field: 'event', code: 'not_changeable' }]]);
    expect([secret.status, secret.body.errors]).toMatchObject([422, [{ field: 'secret', code: 'not_current' }]]);
  });

  it('answers 412 unless the webhook is as it was read', async () => {
    const [key, url] = [newKey(), newUrl()];
    const { id } = (await ensure(key, { url })).body.webhook;
    const etag = (await desk.client().get(`/v1/webhooks/${id}`)).headers.get('etag')!;
    const changed = await ensure(key, { url, name: 'New' }, desk.client(), { 'if-match': etag });
    const late = await ensure(key, { url, name: 'Newer' }, desk.client(), { 'if-match': etag });
    const none = await ensure(newKey(), { url: newUrl() }, desk.client(), { 'if-match': etag });

    expect([changed.status, late.status, none.status]).toEqual([200, 412, 412]);
  });

  it('needs the scopes and the role that registering needs', async () => {
    const { id: accountId, owner } = desk.account;
    const [key, url] = [newKey(), newUrl()];
    await ensure(key, { url });
    const tokenOf = (scopes: ('webhooks' | 'customers:read' | 'read')[]) =>
      seedToken(desk.sql, { accountId, agentId: owner.id, scopes });
    const plain = await seedAgent(desk.sql, accountId, { scopes: ['read', 'webhooks'] });
    const tokens = [await tokenOf(['read']), await tokenOf(['webhooks', 'customers:read']), plain.token];
    const answers = await Promise.all(tokens.map((token) => ensure(key, { url }, desk.client(token))));

    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [403, 'insufficient_scope'],
      [403, 'insufficient_scope'],
      [403, 'role_not_allowed'],
    ]);
  });
});

describe('the list of webhooks by URL', () => {
  it('finds those of the URL in every spelling, and only what the caller may see', async () => {
    const url = newUrl();
    const webhooks = await Promise.all(
      ['ticket_started', 'ticket_closed'].map((event) => registerWebhook(desk.client(), event, url)),
    );
    const app = await letApplicationIn(desk, 'Lists');
    const own = await registerWebhook(app, 'ticket_started', url);
    const ids = webhooks.map(({ id }) => id);
    const found = async (address: string) => new Set(await webhookIdsOf(desk.client(), at(address)));

    expect(await found(url)).toEqual(new Set([...ids, own.id]));
    expect(await found(url.replace('receiver', 'RECEIVER'))).toEqual(new Set(ids));
    expect(await webhookIdsOf(app, at(url))).toEqual([own.id]);
    expect(await webhookIdsOf(desk.client(), at('nowhere'))).toEqual([]);
    expect(await webhookIdsOf(desk.client(), `${at(url)}&event=ticket_closed`)).toEqual([webhooks[1].id]);
  });
});
