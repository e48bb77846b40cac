import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { type Desk, startDesk } from '../support/desk.js';
import { addMailbox, newEmail } from '../support/desk-records.js';
import { eventually } from '../support/eventually.js';
import { mailText } from '../support/mails.js';
import { seedAccount } from '../support/seed.js';

let desk: Desk;
let port: number;
beforeAll(async () => {
  port = await freePort();
  desk = await startDesk({ settings: { MAIL_PORT: `${port}` } });
  await desk.worker();
});
afterAll(() => desk.stop());

/** What the server says to each line, one after the other, up to its goodbye. */
function talk(lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const answers: string[] = [];
    const left = ['EHLO client.test', ...lines, 'QUIT'];
    socket.on('data', (chunk) => {
      const whole = chunk.toString().trimEnd().split('\r\n').at(-1)!;
      if (/^\d{3} /.test(whole)) {
        answers.push(whole.slice(0, 3));
        const next = left.shift();
        if (next !== undefined) socket.write(`${next}\r\n`);
      }
    });
    socket.on('close', () => resolve(answers.slice(2, -1)));
    socket.on('error', reject);
  });
}

const ticketsOf = async (email: string) => (await desk.client().get(`/v1/tickets?customer=${email}`)).body.tickets;

describe('the mail port', () => {
  it('takes a mail from a program that sends mail, with its files', async () => {
    const from = newEmail();
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    await transport.sendMail({
      from,
      to: desk.account.mailbox.email,
      subject: 'Grüße',
      text: 'Guten Tag',
      attachments: [{ filename: 'Übersicht.csv', content: 'a;b' }],
    });
    const [ticket] = await eventually(async () => {
      const tickets = await ticketsOf(from);
      return tickets.length > 0 && tickets;
    });
    const { messages } = (await desk.client().get(`/v1/tickets/${ticket.number}/messages`)).body;

    expect(ticket.title).toBe('Grüße');
    expect(messages[0].attachments).toMatchObject([{ name: 'Übersicht.csv', size: 3 }]);
  });

  it('says 250 only when the mail is kept', async () => {
    const from = newEmail();
    const { email } = desk.account.mailbox;
    const mail = mailText({ From: from }).trimEnd();
    const said = await talk([`MAIL FROM:<${from}>`, `RCPT TO:<${email}>`, 'DATA', `${mail}\r\n.`]);
    const { rows } = await desk.sql.query(
      'select source, envelope_from, envelope_to from arrivals where envelope_from = $1',
      [from],
    );

    expect(said).toEqual(['250', '250', '354', '250']);
    expect(rows).toEqual([{ source: 'smtp', envelope_from: from, envelope_to: email }]);
  });

  it('puts a mail for two mailboxes into both', async () => {
    const [from, mailbox] = [newEmail(), await addMailbox(desk)];
    const mail = mailText({ From: from }).trimEnd();
    const to = [desk.account.mailbox.email, mailbox.email as string].map((email) => `RCPT TO:<${email}>`);
    await talk([`MAIL FROM:<${from}>`, ...to, 'DATA', `${mail}\r\n.`]);

    const tickets = await eventually(async () => {
      const found = await ticketsOf(from);
      return found.length === 2 && found;
    });
    expect(new Set(tickets.map(({ mailbox: name }: { mailbox: string }) => name))).toEqual(
      new Set([desk.account.mailbox.name, mailbox.name]),
    );
  });

  it('refuses whom it does not know, and an address that two accounts have', async () => {
    const { email } = await addMailbox(desk);
    const other = await seedAccount(desk.sql);
    await desk.sql.query('update mailboxes set email = $1 where account_id = $2', [email, other.id]);
    const said = await talk([
      'MAIL FROM:<ana@client.test>',
      'RCPT TO:<nobody@desk.test>',
      `RCPT TO:<${email}>`,
      'DATA',
    ]);

    expect(said).toEqual(['250', '550', '550', '503']);
  });

  it('offers neither a sign-in nor encryption without a certificate', async () => {
    expect(await talk(['AUTH PLAIN AGEAYg==', 'STARTTLS'])).toEqual(['500', '500']);
  });
});
