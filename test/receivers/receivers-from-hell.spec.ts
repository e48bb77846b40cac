import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { selfSigned } from './certificate.js';
import { BREAKING, FLOODING, HANGING, type Hell } from './hell.js';
import { drip, onRequest, RawServer } from './raw-server.js';
import { aSender, postTo } from './sender.js';

const DEADLINE_MS = 400;
/** A busy machine may fire a timer late; a slot that is held shows by far more than this. */
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
  it.each(hells)('and $name is a failed attempt: $error', async ({ serve, error }: Hell) => {
    const server = keep(await RawServer.start(serve));

    expect(await attemptAt(server.url())).toEqual(failedInTime(error));
  });
});

describe('a receiver that does not exist', () => {
  it('is a failed attempt', async () => {
    const gone = await RawServer.start(() => undefined);
    const url = gone.url();
    await gone.stop();

    expect(await attemptAt(url)).toEqual(failedInTime('connect'));
  });

  it('whose program never accepts the connection is a failed attempt', async () => {
    const { worker, port } = await aListenerThatNeverAccepts();

    const attempts = await Promise.all(Array.from({ length: 8 }, () => attemptAt(`http://127.0.0.1:${port}/`)));
    await worker.terminate();

    expect(attempts).toEqual(attempts.map(() => failedInTime('timeout')));
  });
});

describe('a receiver with broken TLS', () => {
  const answers = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));

  it('that does not speak TLS is a failed attempt', async () => {
    const server = keep(await RawServer.start((socket) => socket.end('hello\r\n')));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it('that answers the handshake with HTTP is a failed attempt', async () => {
    const server = keep(
      await RawServer.start((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))),
    );

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it('that hangs up in the handshake is a failed attempt', async () => {
    const server = keep(await RawServer.start((socket) => socket.once('data', () => socket.destroy())));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it('that hangs in the handshake is a failed attempt', async () => {
    const server = keep(await RawServer.start(() => undefined));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('timeout'));
  });

  it('that drips the handshake is a failed attempt', async () => {
    const server = keep(await RawServer.start((socket) => drip(socket, '\u0016', 20)));

    expect(await attemptAt(server.url('https'))).toEqual(failedInTime('tls'));
  });

  it.each([
    ['nobody vouches for', selfSigned(), [], 'self-signed'],
    ['has expired', selfSigned({ days: -1 }), 'itself', 'expired'],
    ['belongs to another name', selfSigned({ name: 'other.example' }), 'itself', 'altnames'],
  ])('whose certificate %s is a failed attempt', async (_name, certificate, trusted, words) => {
    const server = keep(await RawServer.startTls(certificate, answers));
    const sender = aSender({ trusted: trusted === 'itself' ? [certificate.cert] : [] });
    const outcome = await postTo(sender, server.url('https', 'localhost'));

    expect(outcome).toMatchObject({ kind: 'failed', error: 'tls', detail: expect.stringContaining(words) });
  });

  it('with a valid certificate is reached', async () => {
    const certificate = selfSigned();
    const server = keep(await RawServer.startTls(certificate, answers));
    const sender = aSender({ trusted: [certificate.cert] });

    expect(await postTo(sender, server.url('https', 'localhost'))).toMatchObject({ kind: 'delivered', body: 'ok' });
  });

  it('is checked even if the environment says not to', async () => {
    const server = keep(await RawServer.startTls(selfSigned(), answers));
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const outcome = await postTo(aSender(), server.url('https', 'localhost'));
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

    expect(outcome).toMatchObject({ kind: 'failed', error: 'tls' });
  });
});

describe('a receiver that sends a gzip bomb', () => {
  it('small enough to be read whole has accepted the delivery: it is never unpacked', async () => {
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

/** A thread that listens and then never runs again: the kernel shakes hands, and nobody takes the call. */
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
