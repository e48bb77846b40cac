import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newWebhookSecret } from '#libs/delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { eventually } from '#test/support/eventually.js';
import { DIRECTORIES, findProgram, inFolder, run, save } from './languages.js';
import { BLOCKS } from './guide.js';
import { type SignedCase, oddCases, relabelledCases, signedCases } from './signed-cases.js';

const cases = [...signedCases(), ...relabelledCases()];
const good = cases[0]!;

describe('the receiver in docs/webhooks.md', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskwire-receiver-'));
  let receiver: ChildProcess;
  let base: string;
  let said = '';

  beforeAll(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}/hooks`;
    save(folder, 'verify.mjs');
    const env = { ...process.env, WEBHOOK_SECRET: good.secret, PORT: String(port) };
    receiver = spawn(process.execPath, [save(folder, 'receiver.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    receiver.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(() => fetch(base));
  });
  afterAll(() => void receiver.kill());

  const post = async ({ headers, body }: Pick<SignedCase, 'headers' | 'body'>): Promise<number> =>
    (await fetch(base, { method: 'POST', headers, body: new Uint8Array(body) })).status;

  it('accepts a signed request once', async () => {
    expect(await post(good)).toBe(204);
    expect(await post(good)).toBe(204);
    await eventually(() => said !== '');

    expect(said).toBe('ticket_closed undefined\n');
  });

  it('refuses a request with a wrong signature, an old one or another kind', async () => {
    const refused = cases.filter(({ accepted, secret }) => !accepted && secret === good.secret);
    const statuses = await Promise.all(refused.map(post));

    expect(new Set(statuses)).toEqual(new Set([400]));
  });

  it('survives a body that is too long and a request that is cut off', async () => {
    await expect(post({ headers: good.headers, body: Buffer.alloc(5 * 1024 * 1024) })).rejects.toThrow('fetch failed');
    await breakOff(new URL(base));

    expect(await post(good)).toBe(204);
  });
});

describe.each(['openssl'].filter(findProgram))('the shell code in docs/webhooks.md, with %s', () => {
  it('computes our signature with OpenSSL', async () => {
    const computed = [good, ...oddCases().slice(0, 2)];

    for (const { secret, headers, body } of computed)
      expect(await expectedSignature(secret, headers, body)).toBe(headers['webhook-signature']!.split(' ')[0]);
  });

  it('computes the known example', async () => {
    const shown = BLOCKS.find(({ marks }) => marks['vector'] === 'signature')?.text.trim();
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
    const headers = { 'webhook-id': 'event-1', 'webhook-timestamp': '1763625600' };

    expect(await expectedSignature(secret, headers, Buffer.from('{"number":42}'))).toBe(shown);
    expect(await expectedSignature(newWebhookSecret(), headers, Buffer.from('{"number":42}'))).not.toBe(shown);
  });
});

function expectedSignature(secret: string, headers: SignedCase['headers'], body: Buffer): Promise<string> {
  return inFolder((folder) => {
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
    // The block is meant for a person's shell, which finds the system's programs.
    const environment = { secret, id, timestamp, body: 'body.json', PATH: DIRECTORIES.join(':') };
    writeFileSync(path.join(folder, 'body.json'), body);
    const script = save(folder, 'expected.sh');
    return run({ program: '/bin/sh', args: [script], folder, environment }).then((text) => text.trim());
  });
}

/** Announces more bytes, and disconnects. */
function breakOff({ hostname, port }: URL): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write('POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
      socket.resetAndDestroy();
    });
    socket.once('close', () => resolve());
  });
}
