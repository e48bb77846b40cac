import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { selfSigned } from './certificate.js';
import { BREAKING, FLOODING, HANGING, type Hell } from './hell.js';
import { RawServer, aReply, drip, onRequest } from './raw-server.js';
import { aSender, postTo } from './sender.js';

const DEADLINE_MS = 400;
/** A busy machine may fire a timer late; a held slot exceeds this by far. */
const LATE_MS = 600;

const attemptAt = async (url: string) => {
  const sender = aSender();
  const outcome = await postTo(sender, url, DEADLINE_MS);
  const error = outcome.kind === 'failed' ? outcome.error : outcome.kind;
  return { error, inTime: outcome.durationMs < DEADLINE_MS + LATE_MS, ...sender.stats };
};

const failedInTime = (error: string) => ({ error, inTime: true, inFlight: 0, idleConnections: 0 });

describe.each([
  ['hangs', HANGING],
  ['floods', FLOODING],
  ['breaks', BREAKING],
])('a receiver that %s', (_name, hells) => {
  it.each(hells)('causes a failed attempt when it $name: $error', async ({ serve, error }: Hell) => {
    const server = await RawServer.start(serve);

    expect(await attemptAt(server.url())).toEqual(failedInTime(error));
  });
});

describe('an unreachable receiver', () => {
  it('causes a failed attempt when it does not exist', async () => {
    const gone = await RawServer.start(() => undefined);
    const url = gone.url();
    await gone.stop();

    expect(await attemptAt(url)).toEqual(failedInTime('connect'));
  });

  it('causes a failed attempt when its program never accepts the connection', async () => {
    const { worker, port } = await aListenerThatNeverAccepts();

    const attempts = await Promise.all(Array.from({ length: 8 }, () => attemptAt(`http://127.0.0.1:${port}/`)));
    await worker.terminate();

    expect(attempts).toEqual(attempts.map(() => failedInTime('timeout')));
  });
});

describe('a receiver with broken TLS', () => {
  const answers = onRequest((socket) => socket.write(aReply('200 OK')));

  it.each<[string, string, Hell['serve']]>([
    ['does not speak TLS', 'tls', (socket) => socket.end('hello\r\n')],
    ['answers the handshake with HTTP', 'tls', (socket) => socket.once('data', () => socket.end(aReply('400 Bad')))],
    ['disconnects in the handshake', 'tls', (socket) => socket.once('data', () => socket.destroy())],
    ['hangs in the handshake', 'timeout', () => undefined],
    ['drips the handshake', 'tls', (socket) => drip(socket, '\u0016', 20)],
  ])('causes a failed attempt when it %s: %s', async (_how, error, serve) => {
    const server = await RawServer.start(serve);

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime(error));
  });

  it.each([
    ['is self-signed', selfSigned(), false, 'self-signed'],
    ['has expired', selfSigned({ days: -1 }), true, 'expired'],
  ])('causes a failed attempt when its certificate %s', async (_name, certificate, isTrusted, words) => {
    const server = await RawServer.startTls(certificate, answers);
    const sender = aSender({ trusted: isTrusted ? [certificate.cert] : [] });
    const outcome = await postTo(sender, server.url('https', 'localhost'));

    expect(outcome).toMatchObject({ kind: 'failed', error: 'tls', detail: expect.stringContaining(words) });
  });

  it('causes a failed attempt even if the environment disables checks', async () => {
    const server = await RawServer.startTls(selfSigned(), answers);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const outcome = await postTo(aSender(), server.url('https', 'localhost'));
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

    expect(outcome).toMatchObject({ kind: 'failed', error: 'tls' });
  });
});

/** A thread that listens and never runs again: the kernel completes the handshake, but no program accepts. */
async function aListenerThatNeverAccepts(): Promise<{ worker: Worker; port: number }> {
  const program = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const worker = new Worker(program, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { worker, port };
}
