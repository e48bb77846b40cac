import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, describe, expect, it } from 'vitest';
import { asymmetricKeysOf } from './asymmetric-keys.js';
import { type AsymmetricKey, newWebhookSecret, signatureHeaders } from './signature.js';

const older = { key: randomBytes(32) };
const newer = { key: randomBytes(32) };
const webhookId = randomUUID();
const secret = newWebhookSecret();
const body = Buffer.from('{"title":"Größe, 😀"}');

const headersBy = (asymmetricKeys: readonly AsymmetricKey[]) =>
  signatureHeaders({
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

const folder = mkdtempSync(join(tmpdir(), 'signatures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const succeeds = (program: string, words: readonly string[]): boolean => {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

interface Signed {
  readonly content: Buffer;
  readonly signature: Buffer;
  /** The public key: 32 bytes. */
  readonly key: Buffer;
}

const signedBy = (key: AsymmetricKey): Signed => {
  const headers = headersBy([key]);
  const signature = headers['webhook-signature']!.split(' ')[1]!.replace('v1a,', '');
  return {
    content: Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body]),
    signature: Buffer.from(signature, 'base64'),
    key: Buffer.from(key.whpk.replace('whpk_', ''), 'base64'),
  };
};

/** RFC 8410: the prefix of the 32 bytes of a public key. */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const openssl = ({ content, signature, key }: Signed): boolean => {
  const files = [fileOf('content', content), fileOf('signature', signature)];
  const publicKey = fileOf('key.der', Buffer.concat([PUBLIC_PREFIX, key]));
  const words = ['pkeyutl', '-verify', '-pubin', '-keyform', 'DER', '-inkey', publicKey, '-rawin'];
  return succeeds('openssl', [...words, '-in', files[0]!, '-sigfile', files[1]!]);
};

const PYTHON = `
import sys, base64
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
key, signature, content = (base64.b64decode(word) for word in sys.argv[1:])
Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
`;

const python = ({ content, signature, key }: Signed): boolean =>
  succeeds('python3', ['-c', PYTHON, ...[key, signature, content].map((bytes) => bytes.toString('base64'))]);

const VERIFIERS = [
  { name: 'OpenSSL', verify: openssl, isThere: succeeds('openssl', ['version']) },
  { name: 'cryptography for Python', verify: python, isThere: succeeds('python3', ['-c', 'import cryptography']) },
];

const PRESENT = VERIFIERS.filter(({ isThere }) => isThere);

it('finds another implementation to verify signatures with', () => {
  expect(PRESENT).not.toEqual([]);
});

describe.each(PRESENT)('an asymmetric signature, verified by $name', ({ verify }) => {
  const signed = signedBy(asymmetricKeysOf([newer], webhookId)[0]!);

  it('verifies the signed bytes', () => {
    expect(verify(signed)).toBe(true);
  });

  it('rejects other bytes and another webhook’s key', () => {
    const other = signedBy(asymmetricKeysOf([newer], randomUUID())[0]!);

    expect(verify({ ...signed, content: Buffer.concat([signed.content, Buffer.from(' ')]) })).toBe(false);
    expect(verify({ ...signed, key: other.key })).toBe(false);
  });
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
