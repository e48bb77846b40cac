import { type IncomingMessage, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Desk } from '#test/support/desk.js';

/** Adds the owner’s token, which the conformance suite cannot send. To the product, its address is that of the product. */
export async function startAuthorizingProxy(desk: Desk) {
  const server = createServer((incoming, outgoing) => {
    const headers = headersFor(incoming, desk);
    const { method, url = '/' } = incoming;
    const forwarded = request(new URL(url, desk.base), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { base: `http://127.0.0.1:${port}`, stop };
}

function headersFor({ headers, socket }: IncomingMessage, { settings, account }: Desk) {
  const isOwn = headers.host === `127.0.0.1:${socket.localPort}`;
  const { origin } = new URL(settings.PUBLIC_URL);
  return {
    ...headers,
    authorization: `Bearer ${account.owner.token}`,
    ...(headers.origin !== undefined && isOwn && { origin }),
  };
}
