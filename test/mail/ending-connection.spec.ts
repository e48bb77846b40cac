import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { SmtpSender } from '#libs/mail';
import { readSettings } from '#libs/settings';
import { createLogger } from '#libs/telemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A mail server that accepts every command; a test closes its connection. */
const server = createServer((socket) => {
  connection = socket;
  socket.on('error', () => undefined);
  socket.write('220 ready\r\n');
  socket.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\r\n'))
      if (line === 'DATA') socket.write('354 go on\r\n');
      else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 yes\r\n');
  });
});
let connection: Socket;
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

async function mayHandOver(): Promise<boolean> {
  connection.destroy();
  await once(connection, 'close');
  return true;
}

it('never marks an email as unsure if the connection ended first, even when that is detected late', async () => {
  const settings = readSettings({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://none.test/none',
    SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const sender = new SmtpSender(settings, createLogger('tests', 'silent'));
  const mail = { to: 'ana@client.test', subject: 'Hello', text: 'It is on its way.' };

  expect(await sender.send(mail, { mayHandOver, signal: new AbortController().signal })).toMatchObject({
    result: 'postponed',
  });
});
