import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { AgentReplyAddressesService } from '#libs/mailboxes';
import { newReturnToken } from '#libs/entities';
import { ReplyAddressesService } from '#libs/tickets';
import { createTransport } from 'nodemailer';
import { beforeAll, describe, expect, it } from 'vitest';
import { MailIntakeService } from '../../../apps/api/src/smtp/mail-intake.service.js';
import { selfSigned } from '../../receivers/certificate.js';
import { deskWithPorts } from '#test/support/desk-for-file.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { seedAccount } from '#test/support/seed.js';
import { leaveInData, sendMail, talk } from '#test/support/smtp.js';

const { key, cert } = selfSigned();
const folder = mkdtempSync(path.join(tmpdir(), 'mail-port-'));
const [MAIL_TLS_KEY, MAIL_TLS_CERT] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
writeFileSync(MAIL_TLS_KEY, key);
writeFileSync(MAIL_TLS_CERT, cert);
const desk = deskWithPorts(['MAIL_PORT'], { MAIL_TLS_KEY, MAIL_TLS_CERT });
let addresses: ReplyAddressesService;
let port: number;
beforeAll(async () => {
  addresses = new ReplyAddressesService(desk.settings);
  port = desk.settings.MAIL_PORT;
  await desk.worker();
});

const arrivalsFrom = async (from: string) =>
  (
    await desk.sql.query<{ id: string; envelope_to: string; mailbox_id: string; state: string }>(
      'select id, envelope_to, mailbox_id, state from arrivals where envelope_from = $1',
      [from],
    )
  ).rows;

const withToken = (email: string, token: string): string => email.replace('@', `+${token}@`);

describe('a signed reply address', () => {
  it('delivers a reply to its ticket, with any headers', async () => {
    const from = newEmail();
    const ticket = await startTicket(desk, { from });
    const to = addresses.of(desk.account.mailbox.email, desk.account.id, ticket.number);
    expect(await sendMail(desk, from, [to.toUpperCase()])).toContain('354');

    const joined = async () => {
      const { body } = await desk.client().get(`/v1/tickets/${ticket.number}`);
      return body.ticket.message_count === 2;
    };
    // The first email waits until the worker runs.
    await eventually(joined, { withinMs: 30_000 });
  });

  it('belongs to the account that signed it, even when another one had the mailbox’s address first', async () => {
    const other = await seedAccount(desk.sql);
    const from = newEmail();
    const of = desk.client(other.owner.token);
    const { body } = await of.post('/v1/tickets', { body: 'Hello', from, to: other.mailbox.email });
    const to = addresses.of(other.mailbox.email, other.id, body.ticket.number);
    await sendMail(desk, from, [to]);

    const messages = async () => (await of.get(`/v1/tickets/${body.ticket.number}/messages`)).body.messages;
    const [, answer] = await eventually(async () => (await messages()).length === 2 && messages());
    expect(answer).toMatchObject({ channel: 'email', agent_response: false });
  });
});

/** As versions made it that did not refuse such addresses. */
async function mailboxNamed(accountId: string, email: string): Promise<void> {
  await desk.sql.query(
    `insert into mailboxes (id, account_id, name, email, email_since, created_at, updated_at)
     values ($1, $2, $3, $3, '2020-01-01', now(), now())`,
    [randomUUID(), accountId, email.toLowerCase()],
  );
}

async function bounceAddress(): Promise<string> {
  const token = newReturnToken();
  await desk.sql.query(
    `insert into outgoing_mails (id, account_id, lane, kind, state, recipient, return_token, queued_at, due_at)
     values ($1, $2, $2, 'test', 'sent', 'ana@client.test', $3, now(), now())`,
    [randomUUID(), desk.account.id, token],
  );
  return addresses.forReturns(desk.account.mailbox.email, token);
}

describe('a signed address that is also the address of another account’s mailbox', () => {
  it.each([
    ['a reply', () => addresses.of(desk.account.mailbox.email, desk.account.id, 1).toUpperCase()],
    [
      'an agent’s reply',
      () => {
        const whose = { accountId: desk.account.id, agentId: desk.account.owner.id, ticketNumber: 1 };
        return desk.api.get(AgentReplyAddressesService).of(desk.account.mailbox.email, whose);
      },
    ],
    ['a bounce', bounceAddress],
  ])('delivers %s to the account that signed it', async (_, addressOf) => {
    const [from, thief, address] = [newEmail(), await seedAccount(desk.sql), await addressOf()];
    await mailboxNamed(thief.id, address);
    await sendMail(desk, from, [address]);

    expect(await arrivalsFrom(from)).toMatchObject([{ mailbox_id: desk.account.mailbox.id }]);
  });

  it('returns 550 when the signature is forged or the signer’s mailbox is gone', async () => {
    const [thief, gone] = [await seedAccount(desk.sql), await addMailbox(desk)];
    const forged = withToken(desk.account.mailbox.email, '1.0123456789abcdef');
    const signed = addresses.of(gone.email, desk.account.id, 1);
    for (const address of [forged, signed]) await mailboxNamed(thief.id, address);
    await desk.client().delete(`/v1/mailboxes/${gone.id}`);

    expect(await talk(port, ['MAIL FROM:<ana@client.test>', `RCPT TO:<${forged}>`, `RCPT TO:<${signed}>`])).toEqual([
      '250',
      '550',
      '550',
    ]);
  });
});

describe('an email to several addresses', () => {
  it('arrives once per mailbox, at the address that names a ticket', async () => {
    const [from, mailbox] = [newEmail(), await addMailbox(desk)];
    const ticket = await startTicket(desk, { from });
    const signed = addresses.of(mailbox.email, desk.account.id, ticket.number);
    await sendMail(desk, from, [mailbox.email, signed, mailbox.email.toUpperCase()]);

    expect(await arrivalsFrom(from)).toMatchObject([{ envelope_to: signed, mailbox_id: mailbox.id }]);
  });

  it.runIf(existsSync('/proc/self/fd'))('leaves no file open', async () => {
    const [from, mailbox] = [newEmail(), await addMailbox(desk)];
    const to = [desk.account.mailbox.email, mailbox.email];
    for (let n = 0; n < 5; n++) await sendMail(desk, from, to);

    const kept = await arrivalsFrom(from);
    expect(kept).toHaveLength(10);
    expect(openFiles().filter((file) => kept.some(({ id }) => file.includes(id)))).toEqual([]);
  });
});

/** Returns the open files of this process, in which the API runs. A file can close while the list is read. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return [];
    }
  });

describe('a client of the mail port', () => {
  it('loses its connection after ten unknown recipients', async () => {
    const guesses = Array.from({ length: 12 }, (_, n) => `RCPT TO:<guess-${n}@desk.test>`);
    const said = await talk(port, ['MAIL FROM:<ana@client.test>', ...guesses]);

    expect(said).toEqual(['250', ...Array<string>(10).fill('550'), '421']);
  });

  it('receives 552 for an email larger than 50 MiB, of which nothing is stored', async () => {
    const from = newEmail();
    const large = `${mailText({ From: from })}${`${'x'.repeat(998)}\r\n`.repeat(52_500)}`;

    expect(await sendMail(desk, from, [desk.account.mailbox.email], large)).toEqual(['250', '250', '354', '552']);
    expect(await arrivalsFrom(from)).toEqual([]);
    expect((await desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });

  it('stores nothing when it disconnects in the middle of an email', async () => {
    const from = newEmail();
    const { email } = desk.account.mailbox;
    await leaveInData(port, [`MAIL FROM:<${from}>`, `RCPT TO:<${email}>`], 'Subject: half\r\n\r\nOnly the');
    const stray = async () => (await desk.sql.query('select from stray_files')).rowCount;

    await eventually(async () => (await stray()) === 0);
    expect(await arrivalsFrom(from)).toEqual([]);
    expect(await sendMail(desk, from, [email])).toContain('354');
  });

  it('receives 421 when its mail does not end in time', async () => {
    const [from, to] = [newEmail(), desk.account.mailbox.email];
    const envelope = { mailFrom: { address: from, args: false }, rcptTo: [{ address: to, args: false }] } as const;
    const session = { remoteAddress: '192.0.2.1', envelope: { ...envelope, rcptTo: [...envelope.rcptTo] } };
    const stream = new PassThrough();
    stream.write('Subject: slow\r\n');
    const intake = desk.api.get(MailIntakeService, { strict: false });

    await expect(
      intake.accept(stream, session, { protocol: 'smtp', withinMs: 50, stallMs: 10_000 }),
    ).rejects.toMatchObject({
      responseCode: 421,
    });
    expect(await arrivalsFrom(from)).toEqual([]);
  });

  it('can encrypt with the certificate of the operator', async () => {
    const [from, to] = [newEmail(), desk.account.mailbox.email];
    const tls = { rejectUnauthorized: false };
    await createTransport({ host: '127.0.0.1', port, requireTLS: true, tls }).sendMail({ from, to, text: 'Hello' });

    expect(await arrivalsFrom(from)).toHaveLength(1);
  });
});
