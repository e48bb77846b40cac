import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { selfSigned } from './certificate.js';
import { RawServer, aReply, answering, onRequest } from './raw-server.js';
import { aSender, postTo, ScriptedNames } from './sender.js';

const hooks = () => new ScriptedNames({ 'hooks.example': [['127.0.0.1']] });

describe('the client of receivers', () => {
  it('sends the given bytes to the given path and host name', async () => {
    let seen = '';
    const server = await RawServer.start((socket) =>
      socket.on('data', (chunk) => {
        seen += chunk.toString('utf8');
        if (seen.endsWith('}')) socket.write(aReply('200 OK'));
      }),
    );
    const sender = aSender({ names: hooks() });
    const url = `http://hooks.example:${server.port}/a%20b/ü?x=1&y=%2F`;
    const body = Buffer.from('{"title":"Größe 😀"}');
    await sender.post({ url, headers: { 'webhook-id': 'event-1' }, credentials: {}, body, timeoutMs: 1_000 });

    expect(seen.split('\r\n')).toEqual([
      'POST /a%20b/%C3%BC?x=1&y=%2F HTTP/1.1',
      `host: hooks.example:${server.port}`,
      'connection: keep-alive',
      'webhook-id: event-1',
      `content-length: ${body.length}`,
      '',
      body.toString(),
    ]);
  });

  it('tries one of several addresses, whatever the order of the process', async () => {
    const server = await answering();
    const names = new ScriptedNames({ 'hooks.example': [['127.0.0.1', '127.0.0.2']] });
    const before = getDefaultAutoSelectFamily();
    setDefaultAutoSelectFamily(false);
    const outcome = await postTo(aSender({ names }), server.url('http', 'hooks.example'));
    setDefaultAutoSelectFamily(before);

    expect(outcome).toMatchObject({ kind: 'delivered' });
  });

  it('sends nothing under a certificate for other names, which the error shows shortened and printable', async () => {
    const certificate = selfSigned({ name: `evil\u0000${'x'.repeat(2_000)}.example` });
    const server = await RawServer.startTls(certificate, () => undefined);
    const sender = aSender({ names: hooks(), trusted: [certificate.cert] });
    const outcome = await postTo(sender, server.url('https', 'hooks.example'));

    expect(outcome).toMatchObject({ kind: 'failed', error: 'tls', detail: expect.stringContaining('altnames') });
    expect('detail' in outcome && outcome.detail).toMatch(/^[^\p{C}]{1,400}$/u);
  });

  it('names the host in the TLS handshake while connecting to the checked address', async () => {
    const certificate = selfSigned({ name: 'hooks.example' });
    let asked: string | false | null = null;
    const server = await RawServer.startTls(certificate, (socket) => {
      asked = 'servername' in socket ? (socket.servername as string) : null;
      onRequest((ready) => ready.write(aReply('200 OK')))(socket);
    });
    const sender = aSender({ names: hooks(), trusted: [certificate.cert] });
    const outcome = await postTo(sender, server.url('https', 'hooks.example.'));

    expect(outcome).toMatchObject({ kind: 'delivered' });
    expect(asked).toBe('hooks.example');
  });

  it('sends nothing over http where https is required', async () => {
    const server = await answering();
    const outcome = await postTo(aSender({ requireHttps: true }), server.url());

    expect(outcome).toMatchObject({ kind: 'failed', error: 'invalid_url', detail: 'the address must use https' });
    expect(server.connections).toBe(0);
  });
});

describe('the response', () => {
  it.each([200, 201, 202, 204, 299, 300, 304, 400, 404, 410, 429, 500, 599])(
    'counts as success only with a 2xx: %d',
    async (status) => {
      const server = await answering(aReply(`${status} So`));
      const kind = status < 300 ? 'delivered' : 'answered';

      expect(await postTo(aSender(), server.url())).toMatchObject({ kind, status });
    },
  );

  it('contains the pause that the receiver asks for', async () => {
    const server = await answering(aReply('503 Busy', 'later', 'Retry-After: 120\r\nRetry-After: 5\r\n'));

    expect(await postTo(aSender(), server.url())).toMatchObject({ retryAfter: '120', body: 'later', truncated: false });
  });

  it('may follow an early hint', async () => {
    const server = await answering(`HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${aReply('200 OK', 'ok')}`);

    expect(await postTo(aSender(), server.url())).toMatchObject({ kind: 'delivered', status: 200, body: 'ok' });
  });

  it('keeps its whole characters of the first 16 KiB, and counts as success if it is complete', async () => {
    const server = await answering(aReply('200 OK', `x${'€'.repeat(70_000)}`));
    const outcome = await postTo(aSender(), server.url());

    expect(outcome).toMatchObject({ kind: 'delivered', truncated: true, body: `x${'€'.repeat(5_461)}` });
  });

  it('becomes text that the database accepts', async () => {
    const server = await answering(aReply('200 OK', 'a\u0000b'));

    expect(await postTo(aSender(), server.url())).toMatchObject({ body: 'a\uFFFDb' });
  });

  it('stays compressed', async () => {
    const server = await answering(aReply('200 OK', 'not gzip at all', 'Content-Encoding: gzip\r\n'));

    expect(await postTo(aSender(), server.url())).toMatchObject({ kind: 'delivered', body: 'not gzip at all' });
  });

  it('counts even when it is cut off, unless it is a 2xx', async () => {
    const server = await answering('HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 100\r\n\r\nhalf');
    const outcome = await postTo(aSender(), server.url(), 200);

    expect(outcome).toMatchObject({ kind: 'answered', status: 503, retryAfter: '60', body: 'half' });
  });

  it('shows how far it got when it stopped half-way', async () => {
    const server = await answering('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    const outcome = await postTo(aSender(), server.url(), 200);

    expect(outcome).toMatchObject({ kind: 'failed', error: 'timeout', status: 200, body: 'half' });
  });
});

describe('a connection', () => {
  it('serves several requests', async () => {
    const server = await answering();
    const sender = aSender();
    for (let again = 0; again < 10; again += 1) await postTo(sender, server.url());

    expect(server.connections).toBe(1);
    expect(sender.stats).toEqual({ inFlight: 0, idleConnections: 1 });
  });

  it('serves no request after the receiver closed it', async () => {
    const server = await answering(aReply('200 OK', '', 'Connection: close\r\n'));
    const sender = aSender();
    for (let again = 0; again < 5; again += 1)
      expect(await postTo(sender, server.url())).toMatchObject({ kind: 'delivered' });

    expect(server.connections).toBe(5);
  });

  it('causes no failed attempt when the receiver closed it while it was idle', async () => {
    let requests = 0;
    const server = await RawServer.start(
      onRequest((socket) => {
        requests += 1;
        if (requests % 2 === 0) socket.destroy();
        else socket.write(aReply('200 OK'));
      }),
    );
    const sender = aSender();

    for (let again = 0; again < 4; again += 1)
      expect(await postTo(sender, server.url())).toMatchObject({ kind: 'delivered' });
  });

  it('serves no request after an unrequested response', async () => {
    const server = await answering(aReply('200 OK', 'first') + aReply('200 OK', 'smuggled'));
    const sender = aSender();
    for (let again = 0; again < 5; again += 1)
      expect(await postTo(sender, server.url())).toMatchObject({ kind: 'delivered', body: 'first' });
  });

  it('expires, so that the name is resolved and checked again', async () => {
    const server = await answering();
    const names = new ScriptedNames({ 'moving.example': [['127.0.0.1'], ['10.0.0.1']] });
    const sender = aSender({ names, pool: { maxIdle: 10, maxAgeMs: 0 } });
    const url = server.url('http', 'moving.example');

    expect(await postTo(sender, url)).toMatchObject({ kind: 'delivered' });
    expect(await postTo(sender, url)).toMatchObject({ kind: 'failed', error: 'refused_address' });
  });

  it('makes room for others when too many are idle', async () => {
    const receivers = await Promise.all(Array.from({ length: 6 }, () => answering()));
    const sender = aSender({ pool: { maxIdle: 3, maxAgeMs: 60_000 } });
    for (const server of receivers) await postTo(sender, server.url());

    expect(sender.stats.idleConnections).toBe(3);
    await eventually(() => receivers.filter((server) => server.sockets.size === 0).length === 3);
  });

  it('serves one request at a time', async () => {
    const server = await answering();
    const sender = aSender();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => postTo(sender, server.url())));

    expect(outcomes.every((outcome) => outcome.kind === 'delivered')).toBe(true);
    expect(server.connections).toBe(50);
  });
});

describe('a closed client', () => {
  it('ends requests in flight without a verdict, whatever they wait for', async () => {
    const silent = await RawServer.start((socket) => socket.resume());
    const sender = aSender({ names: { resolve: () => new Promise(() => undefined) } });
    const urls = [silent.url(), silent.url('https'), 'http://never.example/'];
    const running = urls.map((url) => postTo(sender, url, 60_000));
    await eventually(() => silent.connections === 2);
    sender.close();

    expect((await Promise.all(running)).map(({ kind }) => kind)).toEqual(Array(3).fill('abandoned'));
    await eventually(() => silent.sockets.size === 0);
  });

  it('keeps no connection', async () => {
    const server = await answering();
    const sender = aSender();
    await postTo(sender, server.url());
    sender.close();

    await eventually(() => server.sockets.size === 0);
    expect(sender.stats).toEqual({ inFlight: 0, idleConnections: 0 });
  });
});
