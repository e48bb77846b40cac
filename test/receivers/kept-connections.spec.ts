import { expect, it } from 'vitest';
import { onRequest, RawServer } from './raw-server.js';
import { aSender, postTo } from './sender.js';

it('limits each response, not all responses of a connection together', async () => {
  const body = 'x'.repeat(60 * 1024);
  const response = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const server = await RawServer.start(onRequest((socket) => socket.write(response)));
  const sender = aSender();
  const outcomes: string[] = [];
  for (let request = 0; request < 6; request++) outcomes.push((await postTo(sender, server.url())).kind);

  expect(outcomes).toEqual(Array.from({ length: 6 }, () => 'delivered'));
  expect(server.connections).toBe(1);
  await server.stop();
});
