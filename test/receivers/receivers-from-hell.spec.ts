import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { selfSigned } from './certificate.js';
import { BREAKING, FLOODING, HANGING, type Hell } from './hell.js';
import { drip, onRequest, RawServer } from './raw-server.js';
import { aSender, postTo } from './sender.js';

const DEADLINE_MS = 400;
/** A busy machine may fire a timer late; a held slot exceeds this by far. */
const LATE_MS = 600;

const servers: RawServer[] = [];
const keep = (server: RawServer): RawServer => {
  servers.push(server);
  return server;
};

afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

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
    const server = keep(await RawServer.start(serve));

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
  const answers = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));

  it('causes a failed attempt when it does not speak TLS', async () => {
    const server = keep(await RawServer.start((socket) => socket.end('hello\r\n')));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it('causes a failed attempt when it answers the handshake with HTTP', async () => {
    const server = keep(
      await RawServer.start((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))),
    );

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it('causes a failed attempt when it disconnects in the handshake', async () => {
    const server = keep(await RawServer.start((socket) => socket.once('data', () => socket.destroy())));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it('causes a failed attempt when it hangs in the handshake', async () => {
    const server = keep(await RawServer.start(() => undefined));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('timeout'));
  });

  it('causes a failed attempt when it drips the handshake', async () => {
    const server = keep(await RawServer.start((socket) => drip(socket, '\u0016', 20)));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it.each([
    ['is self-signed', selfSigned(), [], 'self-signed'],
    ['has expired', selfSigned({ days: -1 }), 'itself', 'expired'],
    ['belongs to another name', selfSigned({ name: 'other.example' }), 'itself', 'altnames'],
  ])('causes a failed attempt when its certificate %s', async (_name, certificate, trusted, words) => {
    const server = keep(await RawServer.startTls(certificate, answers));
    const sender = aSender({ trusted: trusted === 'itself' ? [certificate.cert] : [] });
    const outcome = await postTo(sender, server.url('https', 'localhost'));

    expect(outcome).toMatchObject({ kind: 'failed', error: 'tls', detail: expect.stringContaining(words) });
  });

  it('gets requests with a valid certificate', async () => {
    const certificate = selfSigned();
    const server = keep(await RawServer.startTls(certificate, answers));
    const sender = aSender({ trusted: [certificate.cert] });

    expect(await postTo(sender, server.url('https', 'localhost'))).toMatchObject({ kind: 'delivered', body: 'ok' });
  });

  it('causes a failed attempt even if the environment disables checks', async () => {
    const server = keep(await RawServer.startTls(selfSigned(), answers));
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const outcome = await postTo(aSender(), server.url('https', 'localhost'));
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

    expect(outcome).toMatchObject({ kind: 'failed', error: 'tls' });
  });
});

describe('a receiver that sends a gzip bomb', () => {
  it('has accepted the delivery if the bomb is small enough to read: it is never decompressed', async () => {
    const packed = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    const server = keep(
      await RawServer.start(onRequest((socket) => socket.write(Buffer.concat([Buffer.from(head), packed])))),
    );
    const before = process.memoryUsage().rss;
    const outcome = await postTo(aSender(), server.url());

    expect(packed.length).toBeLessThan(256 * 1024);
    expect(outcome).toMatchObject({ kind: 'delivered', status: 200, truncated: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024);
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
