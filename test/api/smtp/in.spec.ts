import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { seedAccount } from '#test/support/seed.js';
import { mailLines, talk } from '#test/support/smtp.js';

let desk: Desk;
let port: number;
beforeAll(async () => {
  port = await freePort();
  desk = await startDesk({ settings: { MAIL_PORT: `${port}` } });
  await desk.worker();
});
afterAll(() => desk.stop());

const ticketsOf = async (email: string) => (await desk.client().get(`/v1/tickets?customer=${email}`)).body.tickets;

describe('the mail port', () => {
  it('accepts an email with attachments from a mail client', async () => {
    const from = newEmail();
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    await transport.sendMail({
      from,
      to: desk.account.mailbox.email,
      subject: 'Grüße',
      text: 'Guten Tag',
      attachments: [{ filename: 'Übersicht.csv', content: 'a;b' }],
    });
    // The first email waits until the worker runs.
    const [ticket] = await eventually(
      async () => {
        const tickets = await ticketsOf(from);
        return tickets.length > 0 && tickets;
      },
      { withinMs: 30_000 },
    );
    const { messages } = (await desk.client().get(`/v1/tickets/${ticket.number}/messages`)).body;

    expect(ticket.title).toBe('Grüße');
    expect(messages[0].attachments).toMatchObject([{ name: 'Übersicht.csv', size: 3 }]);
  });

  it('returns 250 when the mail is stored', async () => {
    const from = newEmail();
    const { email } = desk.account.mailbox;
    const said = await talk(port, mailLines(from, [email], mailText({ From: from })));
    const { rows } = await desk.sql.query(
      'select source, envelope_from, envelope_to from arrivals where envelope_from = $1',
      [from],
    );

    expect(said).toEqual(['250', '250', '354', '250']);
    expect(rows).toEqual([{ source: 'smtp', envelope_from: from, envelope_to: email }]);
  });

  it('delivers an email for two mailboxes to both', async () => {
    const [from, mailbox] = [newEmail(), await addMailbox(desk)];
    await talk(port, mailLines(from, [desk.account.mailbox.email, mailbox.email], mailText({ From: from })));

    const tickets = await eventually(async () => {
      const found = await ticketsOf(from);
      return found.length === 2 && found;
    });
    expect(new Set(tickets.map(({ mailbox: name }: { mailbox: string }) => name))).toEqual(
      new Set([desk.account.mailbox.name, mailbox.name]),
    );
  });

  it('refuses an unknown recipient', async () => {
    const said = await talk(port, ['MAIL FROM:<ana@client.test>', 'RCPT TO:<nobody@desk.test>', 'DATA']);

    expect(said).toEqual(['250', '550', '503']);
  });

  it('keeps an address with the account that had it first', async () => {
    const other = await seedAccount(desk.sql);
    const mailbox = await addMailbox(desk);
    const second = desk.client(other.owner.token);
    await second.put(`/v1/mailboxes/${other.mailbox.id}`, { email: mailbox.email });
    const from = newEmail();
    const said = await talk(port, mailLines(from, [mailbox.email], mailText({ From: from })));

    expect(said).toEqual(['250', '250', '354', '250']);
    expect(await eventually(async () => (await ticketsOf(from))[0])).toMatchObject({ mailbox: mailbox.name });
    expect((await second.get(`/v1/tickets?customer=${from}`)).body.tickets).toEqual([]);
  });

  it('offers neither authentication nor encryption without a certificate', async () => {
    expect(await talk(port, ['AUTH PLAIN AGEAYg==', 'STARTTLS'])).toEqual(['500', '500']);
  });
});
