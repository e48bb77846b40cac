// @module-tag long
import { once } from 'node:events';
import { createServer } from 'node:http';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { baseUrlOf } from '#test/support/api-client.js';
import { RawConnection } from '#test/support/raw-connection.js';
import { InstalledSdk } from './installed-sdk.js';

const MIB = 1024 * 1024;

let sdk: InstalledSdk;
// oxlint-disable-next-line typescript/no-explicit-any
let library: any;
beforeAll(async () => {
  sdk = await InstalledSdk.pack();
  library = await sdk.load();
}, 180_000);
afterAll(() => sdk.remove());

/** A receiver of Node as in the guide. Its errors, and the outcome of the handler of the first request. */
async function startReceiver(onError?: (error: Error) => void) {
  const errors: Error[] = [];
  const handler = library.nodeWebhook({ keys: [], onError: onError ?? ((error: Error) => void errors.push(error)) });
  const server = createServer();
  const outcome = new Promise<string>((resolve) => {
    server.on('request', (request, response) => {
      const handled: Promise<void> = handler(request, response);
      handled.then(
        () => resolve('fulfilled'),
        () => resolve('rejected'),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { errors, server, url: baseUrlOf(server), outcome };
}

const post = (url: string, body: Uint8Array<ArrayBuffer>) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe('a webhook handler of the SDK', () => {
  it('handles a client that disconnects within the body', async () => {
    const { errors, server, url, outcome } = await startReceiver();
    const arrived = once(server, 'request');
    const client = new RawConnection(url).send('POST / HTTP/1.1', 'Host: receiver', 'Content-Length: 100', '', '{"num');
    await arrived;
    client.close();

    expect(await outcome).toBe('fulfilled');
    expect(errors).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  });

  it('responds when onError throws', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => logged.mockRestore());
    const broken = new Error('The log is closed.');
    const { url, outcome } = await startReceiver(() => {
      throw broken;
    });
    const sent = post(url, new Uint8Array(2));

    expect(await outcome).toBe('fulfilled');
    expect((await sent).status).toBe(400);
    expect(logged.mock.calls).toEqual([[broken]]);
  });

  it('responds 413 to a body over 16 MiB', async () => {
    const { errors, url } = await startReceiver();
    const fetched = library.fetchWebhook({ keys: [] });
    const large = new Uint8Array(16 * MIB + 1);

    expect((await post(url, large)).status).toBe(413);
    expect(errors.map(({ message }) => message)).toEqual(['The body is larger than 16777216 bytes.']);
    expect((await fetched(new Request('http://worker.example/', { method: 'POST', body: large }))).status).toBe(413);
    expect((await post(url, large.subarray(1))).status).toBe(400);
  });

  it('reads a body over 1 MiB in Fastify', async () => {
    const server = fastify({ forceCloseConnections: true });
    onTestFinished(() => server.close());
    await server.register(library.fastifyWebhook({ keys: [] }));
    const url = await server.listen({ port: 0, host: '127.0.0.1' });

    expect((await post(url, new Uint8Array(4 * MIB))).status).toBe(400);
  });
});
