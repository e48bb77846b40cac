import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import { createTransport } from 'nodemailer';
import { FOLDER, type MailServer } from './mail-server.js';
import { bombOf } from './mime-bombs.js';

/** Long enough that each kind of fault hits some emails, however few there are. */
const LASTS_MS = 60_000;

/** Each email has another sender, so that no limit per sender quarantines it. */
export const markOf = (number: number): string => `mark-${number}-end`;

const EVERY_BOMB = 97;
const isBomb = (number: number): boolean => number % EVERY_BOMB === 0;

export function mailOf(number: number): string {
  // One in fifty is longer than the first fetch.
  const text = `${markOf(number)}\r\n${'It goes on and on, and then some more.\r\n'.repeat(number % 50 === 0 ? 4_000 : 20)}`;
  const { headers, body } = isBomb(number)
    ? bombOf(number / EVERY_BOMB, text)
    : { headers: ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8'], body: text };
  const header = [
    `From: Customer ${number} <customer-${number}@client.test>`,
    'To: help@acme.test',
    `Subject: Question ${number}`,
    // Some programs give each email the same id, and some none.
    ...(number % 40 === 0 ? [] : [`Message-ID: <${number % 40 === 1 ? 'same' : number}@client.test>`]),
    'Date: Mon, 03 Mar 2025 10:11:12 +0100',
    ...headers,
  ];
  return `${header.join('\r\n')}\r\n\r\n${body}`;
}

interface SmtpWays {
  readonly port: number;
  readonly address: string;
  /** The port of a real mail server, which forwards emails to the SMTP port at its own pace. */
  readonly byPostfix: number;
}

/** Puts marked emails where the product finds them. Every confirmed mail counts. */
export class MailLoad {
  readonly delivered = new Set<number>();
  private before: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly server: MailServer,
    private readonly smtp: SmtpWays,
  ) {}

  /** Some emails come by SMTP as well, and some by SMTP alone; half of both through Postfix. Bombs come by IMAP. */
  async deliver(numbers: readonly number[]): Promise<void> {
    let client = await this.server.connect();
    for (const number of numbers) {
      await delay(LASTS_MS / numbers.length);
      const isSent = number % 10 === 0 && !isBomb(number);
      if (isSent) await this.send(number);
      if (isSent && number % 20 !== 0) continue;
      client = await this.inTurn(() => this.append(client, number));
    }
    client.close();
  }

  /** No email is added during the change. */
  renumber(count: number): Promise<void> {
    return this.inTurn(() => this.server.renumber(count));
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.before.then(work);
    this.before = turn.catch(() => undefined);
    return turn;
  }

  private async append(client: ImapFlow, number: number): Promise<ImapFlow> {
    const appended = await client.append(FOLDER, mailOf(number)).catch(() => false);
    // Some servers report a removed folder once, and put nothing into the new one.
    if (!appended) {
      client.close();
      return this.append(await this.server.connect(), number);
    }
    this.delivered.add(number);
    return client;
  }

  /** Repeats until the product confirms the mail, as a mail server does. */
  private async send(number: number): Promise<void> {
    const port = number % 40 < 20 ? this.smtp.byPostfix : this.smtp.port;
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const envelope = { from: `customer-${number}@client.test`, to: this.smtp.address };
    for (;;) {
      await listening(port);
      const taken = await transport.sendMail({ envelope, raw: mailOf(number) }).then(
        () => true,
        () => false,
      );
      if (taken) break;
    }
    this.delivered.add(number);
  }
}

async function listening(port: number): Promise<void> {
  for (let isOpen = false; !isOpen;) {
    isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => (socket.destroy(), resolve(true)));
      socket.on('error', () => setTimeout(() => resolve(false), 200));
    });
  }
}
