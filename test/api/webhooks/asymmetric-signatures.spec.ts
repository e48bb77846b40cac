import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';

const secretsKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

const desk = deskForFile({ settings: { SECRETS_KEY: `${secretsKey('k2')},${secretsKey('k1')}` } });
beforeAll(() => desk.worker());

const make = async (fields: object) =>
  (await desk.client().post('/v1/webhooks', { event: 'ticket_started', ...fields })).body.webhook;
const kidsOf = ({ body }: { body: { keys: { kid: string }[] } }) => body.keys.map(({ kid }) => kid);
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
    const entries = headers['webhook-signature']!.split(' ');
    const ids = headers['webhook-key-id']!.split(' ');
    expect(entries.map((entry) => entry.split(',')[0])).toEqual(['v1', 'v1a', 'v1a', 'dw1', 'dw1a', 'dw1a']);
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(ids);
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-account': account } = headers;
    const signed = `dw1\n${id}\n${timestamp}\nticket_started\nfalse\n${account}\n${webhook.id}\n${request!.body}`;
    const fits = (content: string, version: string) =>
      entries
        .filter((entry) => entry.startsWith(`${version},`))
        .map((entry, place) => {
          const key = createPublicKey({ key: body.keys[place], format: 'jwk' });
          return verify(null, Buffer.from(content), key, Buffer.from(entry.replace(`${version},`, ''), 'base64'));
        });
    expect(fits(`${id}.${timestamp}.${request!.body}`, 'v1a')).toEqual([true, true]);
    expect(fits(signed, 'dw1a')).toEqual([true, true]);
  });

  it('sends no v1a signature after it is turned off, nor by default', async () => {
    const receiver = await desk.receiver();
    const webhook = await make({ url: receiver.url, signatures: 'v1,v1a' });
    const path = `/v1/webhooks/${webhook.id}`;

    const { body } = await desk.client().patch(path, { signatures: [] });
    await desk.client().post(`${path}/test`);
    const [request] = await receiver.received(1);

    expect(body.webhook).toMatchObject({ signatures: ['v1'], keys_url: null });
    expect(request!.headers['webhook-signature']).toMatch(/^v1,\S{44} dw1,\S{44}$/);
    expect(request!.headers).not.toHaveProperty('webhook-key-id');
    expect((await make({ url: 'https://receiver.example/' })).signatures).toEqual(['v1']);
  });
});

describe('/.well-known/webhooks-keys.json', () => {
  const path = '/.well-known/webhooks-keys.json';

  it('returns different keys for each webhook of a request, and hides whether a webhook exists', async () => {
    const wanted = { events: ['note_added', 'agent_replied'], url: 'https://together.example/', signatures: ['v1a'] };
    const { webhooks } = (await desk.client().post('/v1/webhooks', wanted)).body;
    const [one, other] = await Promise.all(webhooks.map(({ keys_url: url }: { keys_url: string }) => keysAt(url)));
    const unknown = await keysAt(`${path}?webhook=0199f3aa-5c20-7000-8000-000000000001`);
    const upperCase = await keysAt(`${path}?webhook=${webhooks[0].id.toUpperCase()}`);

    expect(webhooks[0].secret).toBe(webhooks[1].secret);
    expect(new Set([one, other, unknown].flatMap(kidsOf)).size).toBe(6);
    expect([one.status, unknown.status]).toEqual([200, 200]);
    expect(kidsOf(upperCase)).toEqual(kidsOf(one));
  });

  it('returns 422 without the id of a webhook', async () => {
    const message = 'webhook is required; keys_url of a webhook has it';
    const required = [422, [{ field: 'webhook', code: 'required', message }]];
    for (const query of ['', '?webhook=', `?account=${desk.account.id}`]) {
      const { status, body } = await keysAt(`${path}${query}`);
      expect([status, body.errors]).toEqual(required);
    }
    const wrong = await keysAt(`${path}?webhook=${encodeURIComponent("' or 1=1")}`);
    expect([wrong.status, wrong.body.errors]).toMatchObject([422, [{ field: 'webhook', code: 'malformed' }]]);
  });
});
