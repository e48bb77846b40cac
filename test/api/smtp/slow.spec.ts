// @module-tag long
import { type Socket, connect } from 'node:net';
import { expect, it } from 'vitest';
import { deskWithPorts } from '#test/support/desk-for-file.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { sendMail } from '#test/support/smtp.js';

/** The number of emails that the port transfers at once. */
const EVERY_PLACE = 20;

const desk = deskWithPorts(['MAIL_PORT'], { STALL_TIMEOUT_MS: '2000' });

interface DrippingMail {
  readonly socket: Socket;
  text: string;
}

/** Begins an email, and sends a line of it now and then. */
function drip(): DrippingMail {
  const socket = connect(desk.settings.MAIL_PORT, '127.0.0.1');
  const dripping = { socket, text: '' };
  const lines = ['EHLO client.test', `MAIL FROM:<${newEmail()}>`, `RCPT TO:<${desk.account.mailbox.email}>`, 'DATA'];
  const timer = setInterval(() => dripping.text.includes('354 ') && socket.write('a\r\n'), 200);
  socket.on('data', (chunk) => {
    dripping.text += chunk.toString();
    const line = lines.shift();
    if (line !== undefined) socket.write(`${line}\r\n`);
  });
  socket.on('error', () => undefined).on('close', () => clearInterval(timer));
  return dripping;
}

it('accepts an email while slow emails occupy all transfers', async () => {
  const dripping = Array.from({ length: EVERY_PLACE }, drip);
  await eventually(() => dripping.every(({ text }) => text.includes('354 ')));
  const said = await sendMail(desk, newEmail(), [desk.account.mailbox.email]);
  await eventually(() => dripping.every(({ socket }) => socket.destroyed));

  expect(said).toEqual(['250', '250', '354', '250']);
  expect(dripping.map(({ text }) => /^421 .*$/m.exec(text)?.[0])).toEqual(
    dripping.map(() => '421 The message arrives too slowly'),
  );
});
