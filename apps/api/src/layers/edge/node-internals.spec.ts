import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { unsentBytes } from './node-internals.js';

const BYTES = 64 * 1024 * 1024;

it('counts the part of a large write that the installed Node has not sent', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => undefined).write(Buffer.alloc(BYTES));

  await eventually(() => unsentBytes(socket) > 0 && unsentBytes(socket) < BYTES);
  expect(socket.writableLength).toBe(BYTES);
  reader.destroy();
  server.close();
});
