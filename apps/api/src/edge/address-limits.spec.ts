import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { readSettings } from '#libs/settings';
import { Metrics } from '#libs/telemetry';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { RawConnection } from '../../../../test/support/raw-connection.js';
import { limitAddresses } from './address-limits.js';
import { RefusalCounter } from './refusal-counter.js';

let server: FastifyInstance;
afterEach(() => server.close());

/** A server to which every connection seems to come from this address: a test has no other address than its own. */
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

const heard = async (connection: RawConnection): Promise<RawConnection> => {
  connection.send('GET / HTTP/1.1', 'host: localhost', '', '');
  await eventually(() => connection.answer.includes('here'));
  return connection;
};

it('an address holds so many connections, and one more when one has ended', async () => {
  const base = await serve('2001:db8::1');
  const first = await heard(new RawConnection(base));
  await heard(new RawConnection(base));

  expect(await new RawConnection(base).ended).toBe('');

  first.close();
  await once(first.socket, 'close');
  await eventually(async () => {
    const again = new RawConnection(base).send('GET / HTTP/1.1', 'host: localhost', 'connection: close', '', '');
    return (await again.ended).includes('here');
  });
});

it.each(['10.1.2.3', '::ffff:127.0.0.1'])('connections from %s are those of many clients', async (address) => {
  const base = await serve(address);
  const connections = Array.from({ length: 5 }, () => heard(new RawConnection(base)));

  expect((await Promise.all(connections)).map(({ socket }) => socket.destroyed)).not.toContain(true);
});
