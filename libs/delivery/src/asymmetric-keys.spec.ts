import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { asymmetricKeysOf } from './asymmetric-keys.js';
import { type AsymmetricKey, newWebhookSecret, signatureHeaders } from './signature.js';

const older = { key: randomBytes(32) };
const newer = { key: randomBytes(32) };
const webhookId = randomUUID();
const secret = newWebhookSecret();
const body = Buffer.from('{"title":"Größe, 😀"}');

const headersBy = (asymmetricKeys: readonly AsymmetricKey[]) =>
  signatureHeaders({
    accountId: randomUUID(),
    webhookId,
    cause: { type: 'agent' },
    eventId: '0198f2a4-0000-7000-8000-000000000001',
    kind: 'ticket_started',
    sequence: 42n,
    attempt: 1,
    secrets: [secret],
    asymmetricKeys,
    timestamp: new Date(),
    body,
    aliases: [],
    version: '1.2.3',
  });

describe('asymmetric keys', () => {
  it('derives the same keys in every process, and different ones for another webhook or SECRETS_KEY', () => {
    const again = asymmetricKeysOf([newer], webhookId)[0]!;
    const key = asymmetricKeysOf([newer], webhookId)[0]!;

    expect([again.id, again.whpk]).toEqual([key.id, key.whpk]);
    expect(asymmetricKeysOf([newer], randomUUID())[0]!.id).not.toBe(key.id);
    expect(asymmetricKeysOf([older], webhookId)[0]!.id).not.toBe(key.id);
  });

  it('signs with all keys during a rotation and names them', () => {
    const keys = asymmetricKeysOf([newer, older], webhookId);
    const headers = headersBy(keys);

    expect(headers['webhook-signature']).toMatch(
      /^v1,\S{44} v1a,\S{86}== v1a,\S{86}== dw1,\S{44} dw1a,\S{86}== dw1a,\S{86}==$/,
    );
    expect(headers['webhook-key-id']).toBe(`${keys[0]!.id} ${keys[1]!.id}`);
    expect(keys[1]!.id).toBe(asymmetricKeysOf([older], webhookId)[0]!.id);
  });

  it('does not change the signature with the secret', () => {
    const headers = headersBy(asymmetricKeysOf([newer, older], webhookId));

    for (const library of [new Webhook(secret), new SvixWebhook(secret)])
      expect(library.verify(body, headers)).toEqual(JSON.parse(body.toString()));
  });
});
