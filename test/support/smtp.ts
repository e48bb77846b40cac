import { type Socket, connect } from 'node:net';
import type { Desk } from './desk.js';
import { mailText } from './mails.js';

/** The lines of a mail server in answer to each line, up to its goodbye or the end of the connection. */
export function talk(port: number, lines: readonly string[], greeting = 'EHLO'): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const answers: string[] = [];
    const left = [`${greeting} client.test`, ...lines, 'QUIT'];
    onAnswer(socket, (code) => {
      answers.push(code);
      const next = left.shift();
      if (next !== undefined) socket.write(`${next}\r\n`);
    });
    socket.on('close', () => resolve(answers.slice(2, lines.length + 2)));
    socket.on('error', reject);
  });
}

/** Disconnects in the middle of an email, once the server has asked for it. */
export function leaveInData(port: number, lines: readonly string[], beginning: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const left = ['EHLO client.test', ...lines, 'DATA', beginning];
    onAnswer(socket, (code) => {
      socket.write(`${left.shift()!}\r\n`, () => code === '354' && socket.destroy());
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

function onAnswer(socket: Socket, hear: (code: string) => void): void {
  socket.on('data', (chunk) => {
    const last = chunk.toString().trimEnd().split('\r\n').at(-1)!;
    if (/^\d{3} /.test(last)) hear(last.slice(0, 3));
  });
}

/** The codes of the mail port of a desk in answer to an email. */
export const sendMail = (desk: Desk, from: string, to: readonly string[], mail = mailText({ From: from })) =>
  talk(desk.settings.MAIL_PORT, mailLines(from, to, mail));

/** The lines that send an email. */
export const mailLines = (from: string, to: readonly string[], mail: string): string[] => [
  `MAIL FROM:<${from}>`,
  ...to.map((address) => `RCPT TO:<${address}>`),
  'DATA',
  `${mail.trimEnd()}\r\n.`,
];
