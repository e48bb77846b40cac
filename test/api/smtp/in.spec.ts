import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { beforeAll, describe, expect, it } from 'vitest';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { deskWithPorts } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { seedAccount } from '#test/support/seed.js';
import { mailLines, sendMail, talk } from '#test/support/smtp.js';

const desk = deskWithPorts(['MAIL_PORT', 'MAIL_LMTP_PORT']);
beforeAll(() => desk.worker());

/** Returns the tickets of a customer once there are as many. */
const ticketsOf = (email: string, count: number) =>
  eventually(
    async () => {
      const { tickets } = (await desk.client().get(`/v1/tickets?customer=${email}`)).body;
      return tickets.length === count && (tickets as { number: number; title: string; mailbox: string }[]);
    },
    // The first email waits until the worker runs.
    { withinMs: 30_000 },
  );

const mailboxesOf = async (email: string, count: number) =>
  new Set((await ticketsOf(email, count)).map(({ mailbox }) => mailbox));

const arrivalsFrom = async (from: string) =>
  (
    await desk.sql.query<{ source: string; to: string; mailbox: string }>(
      'select source, envelope_to as to, mailbox_id as mailbox from arrivals where envelope_from = $1 order by id',
      [from],
    )
  ).rows;

describe('the mail port', () => {
  it('accepts an email with attachments from a mail client', async () => {
    const from = newEmail();
    const transport = createTransport({ host: '127.0.0.1', port: desk.settings.MAIL_PORT, ignoreTLS: true });
    const attachments = [{ filename: 'Übersicht.csv', content: 'a;b' }];
    const to = desk.account.mailbox.email;
    await transport.sendMail({ from, to, subject: 'Grüße', text: 'Guten Tag', attachments });
    const [ticket] = await ticketsOf(from, 1);
    const { messages } = (await desk.client().get(`/v1/tickets/${ticket!.number}/messages`)).body;

    expect(ticket!.title).toBe('Grüße');
    expect(messages[0].attachments).toMatchObject([{ name: 'Übersicht.csv', size: 3 }]);
  });

  it('stores an email for two mailboxes before it returns 250, and delivers it to both', async () => {
    const [from, other] = [newEmail(), await addMailbox(desk)];
    const recipients = [desk.account.mailbox.email, other.email as string];

    expect(await sendMail(desk, from, recipients)).toEqual(['250', '250', '250', '354', '250']);
    const arrivals = (await arrivalsFrom(from)).map(({ source, to }) => `${source} ${to}`);
    expect(arrivals.toSorted()).toEqual(recipients.map((to) => `smtp ${to}`).toSorted());
    expect(await mailboxesOf(from, 2)).toEqual(new Set([desk.account.mailbox.name, other.name]));
  });

  it('keeps an address with the account that had it first', async () => {
    const other = await seedAccount(desk.sql);
    const mailbox = await addMailbox(desk);
    const second = desk.client(other.owner.token);
    await second.put(`/v1/mailboxes/${other.mailbox.id}`, { email: mailbox.email });
    const from = newEmail();

    expect(await sendMail(desk, from, [mailbox.email])).toEqual(['250', '250', '354', '250']);
    expect(await mailboxesOf(from, 1)).toEqual(new Set([mailbox.name]));
    expect((await second.get(`/v1/tickets?customer=${from}`)).body.tickets).toEqual([]);
  });

  it('offers neither authentication nor encryption without a certificate', async () => {
    expect(await talk(desk.settings.MAIL_PORT, ['AUTH PLAIN AGEAYg==', 'STARTTLS'])).toEqual(['500', '500']);
  });
});

/** Returns all lines of the server until it closes the connection. */
function said(lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(desk.settings.MAIL_LMTP_PORT, '127.0.0.1');
    let text = '';
    // The server disconnects clients that send before the greeting.
    socket.once('data', () => socket.write(`${lines.join('\r\n')}\r\nQUIT\r\n`));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text.trimEnd().split('\r\n')));
    socket.on('error', reject);
  });
}

/** Returns the reply codes after `DATA`. */
const afterData = (answers: readonly string[]): string[] => {
  const place = answers.findIndex((line) => line.startsWith('354'));
  return answers.slice(place + 1, -1).map((line) => line.slice(0, 3));
};

describe('the LMTP port', () => {
  it('replies for each recipient, and delivers the mail to each mailbox once', async () => {
    const [from, other] = [newEmail(), await addMailbox(desk)];
    const { email } = desk.account.mailbox;
    const recipients = [email, other.email as string];
    const answers = await said(['LHLO client.test', ...mailLines(from, recipients, mailText({ From: from }))]);

    expect(afterData(answers)).toEqual(['250', '250']);
    expect(await mailboxesOf(from, 2)).toEqual(new Set([desk.account.mailbox.name, other.name]));
    expect(await arrivalsFrom(from)).toMatchObject([{ source: 'lmtp' }, { source: 'lmtp' }]);
  });

  it('accepts an email for one mailbox and refuses it for another', async () => {
    const [from, gone] = [newEmail(), await addMailbox(desk)];
    const { email } = desk.account.mailbox;
    await desk.sql.query(
      `create function refuse_gone() returns trigger language plpgsql as $$ begin
         if new.mailbox_id = '${gone.id}' then raise exception 'no'; end if; return new; end $$;
       create trigger refuse_gone before insert on arrivals for each row execute function refuse_gone()`,
    );
    const lines = mailLines(from, [email, gone.email as string], mailText({ From: from }));
    const answers = await said(['LHLO client.test', ...lines]);
    await desk.sql.query('drop trigger refuse_gone on arrivals');

    expect(afterData(answers)).toEqual(['250', '451']);
    expect(await arrivalsFrom(from)).toMatchObject([{ mailbox: desk.account.mailbox.id }]);
  });

  it('replies for each accepted recipient, also if it is named repeatedly', async () => {
    const [from, other] = [newEmail(), await addMailbox(desk)];
    const { email } = desk.account.mailbox;
    const repeated = [email, other.email as string, email.toUpperCase(), ...Array.from({ length: 60 }, () => email)];
    const answers = await said(['LHLO client.test', ...mailLines(from, repeated, mailText({ From: from }))]);
    const accepted = answers.filter((line) => line === '250 Accepted').length - 1;

    expect(accepted).toBe(50);
    expect(afterData(answers)).toEqual(Array.from({ length: accepted }, () => '250'));
    expect(await arrivalsFrom(from)).toHaveLength(2);
  });

  it('refuses a recipient that is not a mailbox, and accepts only LHLO as a greeting', async () => {
    const answers = await said(['EHLO client.test', 'LHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<no@b.test>']);

    expect(answers.at(1)).toMatch(/^500/);
    expect(answers.at(-2)).toMatch(/^550/);
  });
});
