import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { startTicket } from '../support/desk-records.js';
import { seedAccount } from '../support/seed.js';

const secretsKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ settings: { SECRETS_KEY: `${secretsKey('k2')},${secretsKey('k1')}` } });
  await desk.worker();
});
afterAll(() => desk.stop());

const make = async (fields: object) =>
  (await desk.client().post('/v1/webhooks', { event: 'ticket_started', ...fields })).body.webhook;
const keysAt = (url: string) => desk.anonymous().get(url.replace(desk.settings.PUBLIC_URL, ''));

describe('a webhook with v1a signatures', () => {
  it('signs with keys that verify against the published ones', async () => {
    const receiver = await desk.receiver();
    const webhook = await make({ url: receiver.url, signatures: ['v1a'] });
    await startTicket(desk);
    const [request] = await receiver.received(1);
    const { status, headers: answered, body } = await keysAt(webhook.keys_url);

    expect(webhook.signatures).toEqual(['v1', 'v1a']);
    expect([status, answered.get('content-type')]).toEqual([200, 'application/jwk-set+json; charset=utf-8']);
    expect(answered.get('cache-control')).toBe('public, max-age=3600');
    const headers = request!.headers as Record<string, string>;
    const [symmetric, ...asymmetric] = headers['webhook-signature']!.split(' ');
    const ids = headers['webhook-key-id']!.split(' ');
    expect(symmetric).toMatch(/^v1,/);
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(ids);
    const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${request!.body}`);
    const fits = asymmetric.map((signature, place) => {
      const key = createPublicKey({ key: body.keys[place], format: 'jwk' });
      return verify(null, content, key, Buffer.from(signature.replace('v1a,', ''), 'base64'));
    });
    expect(fits).toEqual([true, true]);
  });

  it('sends no v1a signature after it is turned off, nor by default', async () => {
    const receiver = await desk.receiver();
    const webhook = await make({ url: receiver.url, signatures: 'v1,v1a' });
    const path = `/v1/webhooks/${webhook.id}`;

    const { body } = await desk.client().patch(path, { signatures: [] });
    await desk.client().post(`${path}/test`);
    const [request] = await receiver.received(1);

    expect(body.webhook).toMatchObject({ signatures: ['v1'], keys_url: null });
    expect(request!.headers['webhook-signature']).toMatch(/^v1,\S{44}$/);
    expect(request!.headers).not.toHaveProperty('webhook-key-id');
    expect((await make({ url: 'https://receiver.example/' })).signatures).toEqual(['v1']);
  });

  it('answers 422 for an unknown signature version', async () => {
    const fields = { event: 'ticket_started', url: 'https://other.example/', signatures: ['v2'] };
    const { status, body } = await desk.client().post('/v1/webhooks', fields);

    expect([status, body.errors]).toMatchObject([422, [{ field: 'signatures', code: 'not_a_choice' }]]);
  });
});

describe('/.well-known/webhooks-keys.json', () => {
  const path = '/.well-known/webhooks-keys.json';

  it('returns different keys for each account, and hides whether an account exists', async () => {
    const own = await keysAt(`${path}?account=${desk.account.id}`);
    const [other, nobody] = await Promise.all(
      [(await seedAccount(desk.sql)).id, '0199f3aa-5c20-7000-8000-000000000001'].map((id) =>
        keysAt(`${path}?account=${id}`),
      ),
    );

    const ids = [own, other!, nobody!].flatMap(({ body }) => body.keys.map(({ kid }: { kid: string }) => kid));
    expect(new Set(ids).size).toBe(6);
    expect(other!.status).toBe(nobody!.status);
  });

  it('needs the account parameter only when there are several accounts', async () => {
    const alone = await startDesk();
    const single = await alone.anonymous().get(path);
    const named = await alone.anonymous().get(`${path}?account=${alone.account.id.toUpperCase()}`);
    await seedAccount(alone.sql);
    const several = await alone.anonymous().get(path);
    await alone.stop();

    expect(single.body).toEqual(named.body);
    expect([several.status, several.body.errors]).toMatchObject([422, [{ field: 'account', code: 'required' }]]);
    const wrong = await keysAt(`${path}?account=${encodeURIComponent("' or 1=1")}`);
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ field: 'account', code: 'malformed' }]]);
  });
});
