import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import {
  type AsymmetricKey,
  type SignedRequest,
  newWebhookSecret,
  signatureHeaders,
  webhookSecretFault,
  withoutSignature,
} from './signature.js';

const secret = newWebhookSecret();
const body = Buffer.from('{"title":"Größe, 😀","html":"<b>&amp;</b>"}');

const aRequest = (overrides: Partial<SignedRequest> = {}): SignedRequest => ({
  accountId: 'acc',
  webhookId: 'hook',
  eventId: '0198f2a4-0000-7000-8000-000000000001',
  cause: { type: 'agent' },
  kind: 'ticket_started',
  sequence: 42n,
  attempt: 3,
  secrets: [secret],
  timestamp: new Date(),
  body,
  aliases: [],
  version: '1.2.3',
  ...overrides,
});

const isAccepted = (text: string): boolean => {
  const signed = Buffer.from(text);
  const headers = signatureHeaders(aRequest({ body: signed }));
  const read = [new Webhook(secret), new SvixWebhook(secret)].map((library) => library.verify(signed, headers));
  return read.every((value) => JSON.stringify(value) === JSON.stringify(JSON.parse(text)));
};

describe('the headers of an attempt', () => {
  it('sends the documented headers', () => {
    const headers = signatureHeaders(aRequest({ timestamp: new Date('2026-01-02T03:04:05.999Z') }));

    expect(headers).toEqual({
      'user-agent': 'Deskwire-Webhooks/1.2.3',
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': '0198f2a4-0000-7000-8000-000000000001',
      'webhook-timestamp': '1767323045',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}= dw1,[A-Za-z0-9+/]{43}=$/),
      'webhook-event': 'ticket_started',
      'webhook-attempt': '3',
      'webhook-sequence': '42',
      'webhook-account': 'acc',
      'webhook-endpoint': 'hook',
      'webhook-cause': 'agent',
    });
  });

  it('sends who caused the event, and the trace of the request', () => {
    const cause = { type: 'application', clientId: 'bot', agentId: 'maya' } as const;
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

    expect(signatureHeaders(aRequest({ cause, traceparent }))).toMatchObject({
      'webhook-cause': 'application',
      'webhook-cause-client': 'bot',
      'webhook-cause-agent': 'maya',
      traceparent,
    });
  });

  it('sends the kind under every alias of the operator, even a name of an object property', () => {
    const headers = signatureHeaders(aRequest({ aliases: ['X-Other-Desk-Event', 'Constructor', 'toString'] }));
    const kind = 'ticket_started';

    expect(headers).toMatchObject({ 'x-other-desk-event': kind, constructor: kind, tostring: kind });
  });

  it('never overwrites a header by an alias', () => {
    const aliased = signatureHeaders(aRequest({ aliases: ['Webhook-Id', 'Content-Type'] }));

    expect(aliased['webhook-id']).toBe('0198f2a4-0000-7000-8000-000000000001');
    expect(aliased['content-type']).toBe('application/json; charset=utf-8');
  });

  it('marks a test event', () => {
    expect(signatureHeaders(aRequest({ test: true }))).toMatchObject({ 'webhook-test': 'true' });
  });

  it('logs headers without the signature', () => {
    const headers = signatureHeaders(aRequest());

    expect(withoutSignature(headers)).not.toHaveProperty('webhook-signature');
    expect(withoutSignature(headers)).toHaveProperty('webhook-id');
    expect(headers).toHaveProperty('webhook-signature');
  });
});

describe('the signature', () => {
  it('verifies with two independent libraries, whatever the body', () => {
    expect(() => fc.assert(fc.property(fc.json({ stringUnit: 'binary' }), isAccepted))).not.toThrow();
  });

  it('verifies with either secret during a rotation', () => {
    const older = newWebhookSecret();
    const headers = signatureHeaders(aRequest({ secrets: [secret, older] }));

    expect(headers['webhook-signature']?.match(/\w+(?=,)/g)).toEqual(['v1', 'v1', 'dw1', 'dw1']);
    for (const held of [secret, older]) expect(() => new Webhook(held).verify(body, headers)).not.toThrow();
  });

  it('refuses to send without a signature', () => {
    expect(() => signatureHeaders(aRequest({ secrets: [] }))).toThrow('never sent unsigned');
  });

  it.each([
    ['another body', { body: Buffer.from('{}') }],
    ['another event', { eventId: 'other' }],
    ['another time', { timestamp: new Date(Date.now() - 60_000) }],
    ['another secret', { secrets: [newWebhookSecret()] }],
  ])('fails to verify with %s', (_name, change) => {
    const headers = { ...signatureHeaders(aRequest()) };
    const forged = signatureHeaders(aRequest(change))['webhook-signature']!;

    for (const library of [new Webhook(secret), new SvixWebhook(secret)])
      expect(() => library.verify(body, { ...headers, 'webhook-signature': forged })).toThrow(/signature/i);
  });
});

const aKey = (id: string): AsymmetricKey => ({
  id,
  x: '',
  whpk: '',
  sign: (content) => `${id}:${content.toString()}`,
});

describe('the signatures of the keys of a webhook', () => {
  it('follow those of the secrets, cover the same content, and name their keys', () => {
    const timestamp = new Date('2026-01-02T03:04:05.999Z');
    const headers = signatureHeaders(
      aRequest({ eventId: 'evt', timestamp, body: Buffer.from('{}'), asymmetricKeys: [aKey('new'), aKey('old')] }),
    );

    expect(headers['webhook-key-id']).toBe('new old');
    expect(headers['webhook-signature']?.match(/\w+a,\S+:[^ ]+/g)).toEqual([
      'v1a,new:evt.1767323045.{}',
      'v1a,old:evt.1767323045.{}',
      'dw1a,new:dw1\nevt\n1767323045\nticket_started\nfalse\nacc\nhook\n{}',
      'dw1a,old:dw1\nevt\n1767323045\nticket_started\nfalse\nacc\nhook\n{}',
    ]);
  });
});

function signedTexts(overrides: Partial<SignedRequest>): { v1: string; dw1: string } {
  const texts: string[] = [];
  const key = { ...aKey('key'), sign: (content: Buffer) => (texts.push(content.toString()), '') };
  signatureHeaders(aRequest({ asymmetricKeys: [key], ...overrides }));
  return { v1: texts[0]!, dw1: texts[1]! };
}

const AT = new Date('2026-01-02T03:04:05.999Z');

const isUnambiguous = (eventId: string, kind: string, test: boolean, text: string): boolean => {
  const { dw1 } = signedTexts({ eventId, kind, test, timestamp: AT, body: Buffer.from(text) });
  const [version, id, seconds, event, flag, account, webhook, ...rest] = dw1.split('\n');
  const fields = [version, id, seconds, event, flag, account, webhook, rest.join('\n')];
  return isDeepStrictEqual(fields, ['dw1', eventId, '1767323045', kind, `${test}`, 'acc', 'hook', text]);
};

/** A text of v1 has a dot on each side of its time, and what is before the first is a header. */
const areApart = (kind: string, text: string): boolean => {
  const { v1, dw1 } = signedTexts({ kind, body: Buffer.from(text) });
  return !/^[^\r\n]*\.\d+\./.test(dw1) && !v1.startsWith('dw1\n');
};

describe('the signed text', () => {
  const headers = fc.stringMatching(/^[\x20-\x7e]*$/);
  const bodies = fc.oneof(fc.string(), fc.stringMatching(/^(dw1\n|\n|\.\d{10}\.|ticket_closed|true|false)*$/));

  it('contains each field of dw1 in a place that no other field can fill', () => {
    expect(() => fc.assert(fc.property(headers, headers, fc.boolean(), bodies, isUnambiguous))).not.toThrow();
  });

  it('differs from every text of v1, whatever the headers and the body', () => {
    expect(() => fc.assert(fc.property(headers, bodies, areApart))).not.toThrow();
  });
});

const ofBytes = (count: number): string => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;

describe('webhookSecretFault', () => {
  it.each([24, 32, 64])('accepts a secret of %d bytes', (bytes) => {
    expect(webhookSecretFault(ofBytes(bytes))).toBeNull();
  });

  it.each([23, 65])('refuses a secret of %d bytes', (bytes) => {
    expect(webhookSecretFault(ofBytes(bytes))).toBe('must be of 24 to 64 bytes');
  });

  it.each([
    ['without the prefix', ofBytes(24).slice('whsec_'.length)],
    ['with another prefix', ofBytes(24).replace('whsec_', 'secret')],
    ['with nothing behind the prefix', 'whsec_'],
    ['without padding', ofBytes(25).replace(/=+$/, '')],
    ['that is not base64', 'whsec_not base64, not at all!!!!!!!!'],
  ])('refuses a secret %s', (_name, secretText) => {
    expect(webhookSecretFault(secretText)).toBe('must be whsec_ and base64, with padding');
  });
});

describe('a new secret', () => {
  it('makes secrets of 32 random bytes behind the prefix', () => {
    expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});
