import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import { NextHop, type ReceivedMail } from '#test/support/next-hop.js';
import { mailLines, talk } from '#test/support/smtp.js';

let hop: NextHop;
let desk: Desk;
let mailbox: string;
let port: number;
beforeAll(async () => {
  hop = await NextHop.start();
  port = await freePort();
  desk = await startDesk({ settings: { SMTP_URL: hop.url, MAIL_PORT: `${port}` } });
  mailbox = (await addMailbox(desk)).name as string;
  await desk.worker();
});
afterAll(async () => {
  await desk.stop();
  await hop.stop();
});

interface Mailed {
  readonly id: string;
  readonly number: number;
  readonly mail: ReceivedMail;
}

async function mailed(): Promise<Mailed> {
  const from = newEmail();
  const { number } = await startTicket(desk, { from, mailbox });
  const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Here it is.' });
  const { id } = body.message;
  const mail = await hop.mailTo(from);
  await eventually(async () => (await read(id)).delivery === 'sent');
  return { id, number, mail };
}

const read = async (id: string) => (await desk.client().get(`/v1/messages/${id}`)).body.message;

/** Formats a delivery report as a downstream server sends it to the Return-Path. */
function report({ mail }: Mailed, fields: string, headers: Record<string, string> = {}): string {
  const parts = [
    'Content-Type: text/plain\r\n\r\nYour mail could not be delivered.',
    `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.client.test\r\n\r\n${fields}`,
    `Content-Type: message/rfc822\r\n\r\n${mail.raw}`,
  ];
  return mailText(
    {
      From: 'Mail Delivery System <mailer-daemon@client.test>',
      To: mail.from,
      Subject: 'Undelivered Mail Returned to Sender',
      'Auto-Submitted': 'auto-replied',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=edge',
      ...headers,
    },
    `${parts.map((part) => `--edge\r\n${part}\r\n`).join('')}--edge--`,
  );
}

const NO_SUCH_USER =
  'Final-Recipient: rfc822; ana@client.test\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 No such user';

describe('an email that bounces at a remote server', () => {
  it('shows the server’s reason with its message, and adds no message', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('customer_replied', receiver.url);
    const sent = await mailed();
    const { arrival, ticket } = await processed(desk, report(sent, NO_SUCH_USER));
    const later = await mailed();
    await processed(desk, mailText({ 'In-Reply-To': later.mail.parsed.messageId!, From: later.mail.to }));
    await receiver.received(1);

    expect(arrival).toMatchObject({ state: 'processed', reason: 'delivery_report' });
    expect(ticket.message_count).toBe(2);
    expect(await read(sent.id)).toMatchObject({ delivery: 'bounced', delivery_reason: '550 5.1.1 No such user' });
    expect(receiver.requests.map(({ json }) => json['links'])).toMatchObject([
      { ticket: { href: expect.stringMatching(new RegExp(`/${later.number}$`)) as unknown } },
    ]);
  });

  it('bounces through the SMTP port, which rejects forged Return-Path addresses', async () => {
    const sent = await mailed();
    const invented = sent.mail.from.replace(/b\.[0-9a-v]{16}/, 'b.0123456789abcdef');
    const said = [
      await talk(port, mailLines('', [sent.mail.from], report(sent, NO_SUCH_USER))),
      await talk(port, ['MAIL FROM:<>', `RCPT TO:<${invented}>`]),
    ];
    await eventually(async () => (await read(sent.id)).delivery === 'bounced');

    expect(said).toEqual([
      ['250', '250', '354', '250'],
      ['250', '550'],
    ]);
  });

  it('goes out again on request', async () => {
    const sent = await mailed();
    await processed(desk, report(sent, NO_SUCH_USER));
    const { status } = await desk.client().post(`/v1/messages/${sent.id}/send_again`);
    await eventually(async () => (await read(sent.id)).delivery === 'sent');

    expect(status).toBe(200);
    expect(hop.taken.filter(({ to }) => to === sent.mail.to)).toHaveLength(2);
  });

  it('bounces once for two copies of the same report', async () => {
    const sent = await mailed();
    const mail = report(sent, NO_SUCH_USER, { 'Message-ID': newMailId() });
    const [one, other] = await Promise.all([processed(desk, mail), processed(desk, mail)]);

    expect(new Set([one.arrival.state, other.arrival.state])).toEqual(new Set(['duplicate', 'processed']));
  });
});

describe('a delayed mail', () => {
  it('stays sent without a notification', async () => {
    const sent = await mailed();
    const { arrival, ticket } = await processed(desk, report(sent, 'Action: delayed\r\nStatus: 4.4.1'));

    expect([arrival.state, ticket.message_count]).toEqual(['processed', 2]);
    expect((await read(sent.id)).delivery).toBe('sent');
  });
});

describe('an automatic reply to the Return-Path', () => {
  it.each([
    ['of the recipient', (to: string) => to],
    ['of another program', () => newEmail('robot')],
  ])('joins the ticket with the address %s', async (_, senderOf) => {
    const sent = await mailed();
    const headers = { From: senderOf(sent.mail.to), To: sent.mail.from, 'Auto-Submitted': 'auto-replied' };
    const { ticket } = await processed(desk, mailText(headers, 'I am away until Monday.'));

    expect([ticket.number, ticket.message_count]).toEqual([sent.number, 3]);
    expect((await read(sent.id)).delivery).toBe('sent');
  });
});

describe('a server that repeats the Return-Path in its reason', () => {
  it('has its reason shown without the token', async () => {
    const sent = await mailed();
    await processed(desk, report(sent, `${NO_SUCH_USER} <${sent.mail.from}>`));
    const { delivery_reason: reason } = await read(sent.id);

    expect(reason).toMatch(/^550 5\.1\.1 No such user <[^+>]+@[^>]+>$/);
  });
});

describe('a delivery report to an unknown Return-Path', () => {
  it('marks no email', async () => {
    const sent = await mailed();
    const forged = {
      ...sent,
      mail: { ...sent.mail, from: sent.mail.from.replace(/\+b\.[^@]+/, '+b.0123456789abcdef') },
    };
    await processed(desk, report(forged, NO_SUCH_USER));

    expect((await read(sent.id)).delivery).toBe('sent');
  });
});
