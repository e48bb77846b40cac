import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { readSettings } from '#libs/settings';
import { Metrics } from '#libs/telemetry';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { RawConnection } from '#test/support/raw-connection.js';
import { UncountedAddresses } from './address-counts.js';
import { limitAddresses } from './address-limits.js';
import { RefusalCounter } from './refusal-counter.js';

let server: FastifyInstance;
afterEach(() => server.close());

/** Starts a server that sees this address as the remote address of every connection. */
async function serve(address: string): Promise<string> {
  server = fastify({ forceCloseConnections: true });
  server.get('/', () => 'here');
  (server.server as Server).on('connection', (socket: Socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: address }),
  );
  const settings = readSettings({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://localhost/none',
    CONNECTIONS_PER_ADDRESS: '2',
    TRUSTED_PROXIES: '10.0.0.0/8',
  });
  limitAddresses(server, { settings, refusals: new RefusalCounter(new Metrics('test')) });
  return server.listen({ port: 0, host: '127.0.0.1' });
}

const answered = async (connection: RawConnection): Promise<RawConnection> => {
  connection.send('GET / HTTP/1.1', 'host: localhost', '', '');
  await eventually(() => connection.answer.includes('here'));
  return connection;
};

it('closes the third connection of an address that may have two', async () => {
  const base = await serve('2001:db8::1');
  const first = await answered(new RawConnection(base));
  await answered(new RawConnection(base));

  expect(await new RawConnection(base).ended).toBe('');

  first.close();
  await once(first.socket, 'close');
  await eventually(async () => {
    const again = new RawConnection(base).send('GET / HTTP/1.1', 'host: localhost', 'connection: close', '', '');
    return (await again.ended).includes('here');
  });
});

it.each(['10.1.2.3', '::ffff:127.0.0.1'])('does not count connections from %s', async (address) => {
  const base = await serve(address);
  const connections = Array.from({ length: 5 }, () => answered(new RawConnection(base)));

  expect((await Promise.all(connections)).map(({ socket }) => socket.destroyed)).not.toContain(true);
});

it.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['fd00::5', true],
  ['11.0.0.1', false],
  ['fd01::5', false],
  ['unknown', false],
])('knows whether %s may be shared by many clients: %s', (address, uncounted) => {
  expect(new UncountedAddresses(['10.0.0.0/8', 'fd00::/16']).has(address)).toBe(uncounted);
});
