import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Entry } from './recording.js';

interface Mail {
  readonly to: string;
  readonly text: string;
}

/** As much of SMTP as a client needs to hand a mail over. */
export class MailServer {
  private readonly mails: Mail[] = [];
  private readonly open = new Set<net.Socket>();

  private constructor(private readonly server: net.Server) {}

  static listen(port: number): Promise<MailServer> {
    const server = net.createServer();
    const mails = new MailServer(server);
    server.on('connection', (socket) => mails.converse(socket));
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve(mails));
    });
  }

  /** The address in the mail to somebody that came last; waits until there are so many. */
  async linkTo(email: string, count = 1): Promise<string> {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline; await pause(50)) {
      const mails = this.mails.filter(({ to }) => to.includes(`<${email}>`));
      const text = mails.at(-1)?.text ?? '';
      const link = /https?:\/\/[^/]+(\/set-password\/\S+)/.exec(text)?.[1];
      if (mails.length >= count && link) return link;
    }
    throw new Error(`No mail came to ${email}.`);
  }

  async settle(count: number): Promise<void> {
    for (const deadline = Date.now() + 45_000; this.mails.length < count && Date.now() < deadline;) await pause(100);
  }

  entries(): Omit<Entry, 'scene'>[] {
    return this.mails
      .map(({ to, text }) => ({ to, text: withoutNames(text) }))
      .toSorted((one, other) => (`${one.to}${subjectOf(one.text)}` < `${other.to}${subjectOf(other.text)}` ? -1 : 1))
      .map(({ to, text }) => ({ line: `mailed ${to}`, headers: [], body: text }));
  }

  close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private converse(socket: net.Socket): void {
    this.open.add(socket.on('close', () => this.open.delete(socket)).on('error', () => socket.destroy()));
    let [received, to, inBody] = ['', '', false];
    socket.write('220 wire\r\n');
    socket.on('data', (chunk) => {
      received += chunk.toString();
      for (let end = endOf(received, inBody); end >= 0; end = endOf(received, inBody)) {
        const line = received.slice(0, end);
        received = received.slice(end + (inBody ? 5 : 2));
        if (inBody) this.mails.push({ to, text: unquoted(line) });
        else if (/^RCPT/i.test(line)) to = line;
        socket.write(inBody ? '250 taken\r\n' : replyTo(line));
        inBody = !inBody && /^DATA/i.test(line);
        if (/^QUIT/i.test(line)) socket.end();
      }
    });
  }
}

const endOf = (received: string, inBody: boolean): number => received.indexOf(inBody ? '\r\n.\r\n' : '\r\n');

function replyTo(line: string): string {
  if (/^DATA/i.test(line)) return '354 go on\r\n';
  return /^QUIT/i.test(line) ? '221 bye\r\n' : '250 fine\r\n';
}

/** Lines are broken where the id in an address happens to end. */
const unquoted = (text: string): string =>
  /^Content-Transfer-Encoding: quoted-printable/im.test(text)
    ? Buffer.from(
        text
          .replaceAll('=\r\n', '')
          .replaceAll(/=([\dA-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString()
    : text;

/** A mail is named after the machine and the moment. */
const withoutNames = (text: string): string => text.replace(/^Message-ID: .*$/im, 'Message-ID: <id>');

const subjectOf = (text: string): string => /^Subject: (.*)$/im.exec(text)?.[1] ?? '';
