import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect, it } from 'vitest';
import { COMMANDS_WITHOUT_MAIL, connectionOf, endSession, guardCommands } from './smtp-internals.js';

it('guards each command and ends a session of the installed smtp-server', async () => {
  let allowed = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect: (session, done) => {
      const connection = connectionOf(server, session)!;
      guardCommands(connection, () => {
        if (++allowed < COMMANDS_WITHOUT_MAIL.length) return true;
        endSession(connection, 'Enough');
        return false;
      });
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  const lines = ['EHLO a.test', 'HELO a.test', 'NOOP', 'HELP', 'VRFY ana', 'MAIL FROM:<ana@a.test>', 'RSET', 'NOOP'];
  await once(socket, 'readable');
  socket.write(lines.map((line) => `${line}\r\n`).join(''));

  expect((await text(socket)).trimEnd().split('\r\n').at(-1)).toBe('421 Enough');
  expect(allowed).toBe(COMMANDS_WITHOUT_MAIL.length);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
