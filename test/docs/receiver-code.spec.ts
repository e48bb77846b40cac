import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { newWebhookSecret } from '#libs/delivery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { DIRECTORIES, findProgram, inFolder, run, save } from './languages.js';
import { RECEIVERS, RunningReceiver } from './receiver-programs.js';
import { BLOCKS } from './guide.js';
import { type SignedCase, oddCases, otherEvent, relabelledCases, signedCases } from './signed-cases.js';

const cases = [...signedCases(), ...relabelledCases()];
const good = cases[0]!;

/** A first build of Go’s standard library may take this long on a small machine. */
const BUILD_TIMEOUT_MS = 240_000;

const titled = RECEIVERS.map((program) => {
  const isHere = program.isHere();
  return { program, isHere, title: isHere ? program.name : `${program.name} (not tried: it is not installed here)` };
});

describe.each(titled)('the receiver of the guides for $title', ({ program, isHere }) => {
  let receiver: RunningReceiver;

  beforeAll(async () => {
    if (isHere) receiver = await RunningReceiver.start(program, good.secret);
  }, BUILD_TIMEOUT_MS);
  afterAll(() => receiver?.stop());

  const post = async ({ headers, body }: Pick<SignedCase, 'headers' | 'body'>): Promise<number> =>
    (await fetch(receiver.url, { method: 'POST', headers, body: new Uint8Array(body) })).status;

  it.skipIf(!isHere || !program.storesEvents)('accepts a signed request twice and handles it once', async () => {
    expect(await Promise.all([post(good), post(good)])).toEqual([204, 204]);
    expect(await post(good)).toBe(204);
    await eventually(() => receiver.lines.length > 0);
    const another = cases.find(({ accepted, title }) => accepted && title === 'a test')!;
    expect(await post(another)).toBe(204);
    await post(otherEvent());
    await eventually(() => receiver.lines.length > 1);

    expect(receiver.lines.map((line) => line.split(' ')[0])).toEqual(['ticket_closed', 'ticket_closed']);
  });

  it.skipIf(!isHere)('refuses a request with a wrong signature, an old one or another kind', async () => {
    const refused = cases.filter(({ accepted, secret }) => !accepted && secret === good.secret);
    const statuses = await Promise.all(refused.map(post));

    expect(new Set(statuses)).toEqual(new Set([400]));
  });

  it.skipIf(!isHere)('survives a body that is too long and a request that is cut off', async () => {
    const tooLong = post({ headers: good.headers, body: Buffer.alloc(5 * 1024 * 1024) });
    expect([400, 413, 'disconnected']).toContain(await tooLong.catch(() => 'disconnected'));
    await breakOff(new URL(receiver.url));

    expect(await post(good)).toBe(204);
  });
});

describe.each(['openssl'].filter(findProgram))('the shell code in docs/webhooks-verify.md, with %s', () => {
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
