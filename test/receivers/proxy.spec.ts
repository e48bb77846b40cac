import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AddressGuard, type PrivateLog } from '#libs/address-guard';
import { ProxyDialler } from '#libs/guarded-http';
import { WebhookClient } from '../../apps/worker/src/deliveries/sender/webhook-client.js';
import { selfSigned } from './certificate.js';
import { RawServer, aReply, onRequest } from './raw-server.js';
import { postTo } from './sender.js';

const certificate = selfSigned({ name: 'hooks.example' });
const answers = onRequest((socket) => socket.write(aReply('200 OK', 'ok')));

let plain: RawServer;
let secure: RawServer;
let proxy: Server;
let asked: { authority: string; authorization: string | undefined }[] = [];

beforeAll(async () => {
  plain = await RawServer.start(answers);
  secure = await RawServer.startTls(certificate, answers);
  proxy = createServer().on('connect', (request, socket) => {
    const [name = '', port] = (request.url ?? '').split(':');
    asked.push({ authority: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    socket.on('error', () => socket.destroy());
    if (name === 'silent.example') socket.resume().on('end', () => socket.destroy());
    else if (name === 'hooks.example') tunnel(socket, Number(port));
    else socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});

function tunnel(socket: Duplex, port: number): void {
  const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
  onward.on('close', () => socket.destroy()).on('error', () => onward.destroy());
  socket.on('close', () => onward.destroy());
  onward.pipe(socket).pipe(onward);
}

beforeEach(() => {
  asked = [];
});

afterAll(async () => {
  proxy.closeAllConnections();
  await Promise.all([plain.stop(), secure.stop(), new Promise((resolve) => proxy.close(resolve))]);
});

const proxyUrl = (credentials = ''): string =>
  `http://${credentials}127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const aSenderThrough = (address: string, privateLog?: PrivateLog): WebhookClient => {
  const settings = { connectTimeoutMs: 300, secureContext: createSecureContext({ ca: certificate.cert }), privateLog };
  const dialler = new ProxyDialler(new URL(address), new AddressGuard([]), settings);
  const client = new WebhookClient(dialler, { requireHttps: false });
  onTestFinished(() => client.close());
  return client;
};

describe('a worker behind a proxy', () => {
  it('sends http through a tunnel, and leaves the name to the proxy', async () => {
    const outcome = await postTo(aSenderThrough(proxyUrl()), plain.url('http', 'hooks.example'));

    expect(outcome).toMatchObject({ kind: 'delivered', body: 'ok' });
    expect(asked).toEqual([{ authority: `hooks.example:${plain.port}`, authorization: undefined }]);
  });

  it('encrypts https all the way to the receiver, and verifies its name', async () => {
    const outcome = await postTo(aSenderThrough(proxyUrl()), secure.url('https', 'hooks.example'));

    expect(outcome).toMatchObject({ kind: 'delivered', body: 'ok' });
  });

  it('distinguishes a receiver without TLS from the proxy', async () => {
    const outcome = await postTo(aSenderThrough(proxyUrl()), plain.url('https', 'hooks.example'));

    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringMatching(/^(tls|timeout)$/) });
  });

  it('reuses the tunnel', async () => {
    const sender = aSenderThrough(proxyUrl());
    for (let again = 0; again < 5; again += 1) await postTo(sender, plain.url('http', 'hooks.example'));

    expect(asked).toHaveLength(1);
  });

  it('sends the credentials of the proxy to the proxy only', async () => {
    await postTo(aSenderThrough(proxyUrl('user:p%40ss@')), plain.url('http', 'hooks.example'));

    expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  });

  it('reports a refusal by the proxy as a failed attempt', async () => {
    const outcome = await postTo(aSenderThrough(proxyUrl()), 'http://internal.example/');

    expect(outcome).toMatchObject({ kind: 'failed', error: 'proxy', detail: 'the proxy refused with status 403' });
  });

  it('keeps the status of a refusal for the operator of a production system', async () => {
    const lines: object[] = [];
    const sender = aSenderThrough(proxyUrl(), { info: (facts) => void lines.push(facts) });
    const outcome = await postTo(sender, 'http://internal.example/');

    expect(outcome).toMatchObject({ kind: 'failed', error: 'proxy', detail: 'the proxy refused' });
    expect(lines).toEqual([{ host: 'internal.example', status: 403 }]);
  });

  it('does not blame the receiver for a proxy that hangs or is away', async () => {
    const hanging = await postTo(aSenderThrough(proxyUrl()), 'http://silent.example/');
    const away = await postTo(aSenderThrough('http://127.0.0.1:1'), 'http://hooks.example/');

    for (const outcome of [hanging, away]) expect(outcome).toMatchObject({ kind: 'failed', error: 'proxy' });
  });

  it.each(['127.0.0.1', '2130706433', '[::1]', '169.254.169.254'])(
    'refuses %s before it contacts the proxy',
    async (host) => {
      const outcome = await postTo(aSenderThrough(proxyUrl()), plain.url('http', host));

      expect(outcome).toMatchObject({ kind: 'failed', error: 'refused_address' });
      expect(asked).toEqual([]);
    },
  );
});
