import { describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { newEmail } from '#test/support/desk-records.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import type { ReceivedMail } from '#test/support/next-hop.js';
import { mailLines, talk } from '#test/support/smtp.js';
import {
  NO_SUCH_USER,
  type Reply,
  becomes,
  deliveryReport,
  readMessage,
  replyFrom,
  startMailDesk,
} from './mail-desk.js';

const port = await freePort();
const { desk, hop, mailbox } = await startMailDesk({ MAIL_PORT: `${port}` });

async function mailed(): Promise<Reply & { readonly mail: ReceivedMail }> {
  const reply = await replyFrom(desk, mailbox.name);
  const mail = await hop.mailTo(reply.to);
  await becomes(desk, reply.id, 'sent');
  return { ...reply, mail };
}

const read = (id: string) => readMessage(desk, id);
const FORGED_TOKEN = 'b.0123456789abcdef';

describe('an email that bounces at a remote server', () => {
  it('shows the server’s reason with its message, and adds no message', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('customer_replied', receiver.url);
    const sent = await mailed();
    const { arrival, ticket } = await processed(desk, deliveryReport(sent.mail));
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
    const invented = sent.mail.from.replace(/b\.[0-9a-v]{16}/, FORGED_TOKEN);
    const said = [
      await talk(port, mailLines('', [sent.mail.from], deliveryReport(sent.mail))),
      await talk(port, ['MAIL FROM:<>', `RCPT TO:<${invented}>`]),
    ];
    await becomes(desk, sent.id, 'bounced');

    expect(said).toEqual([
      ['250', '250', '354', '250'],
      ['250', '550'],
    ]);
  });

  it('bounces once for two copies of the same report', async () => {
    const sent = await mailed();
    const mail = deliveryReport(sent.mail, NO_SUCH_USER, { 'Message-ID': newMailId() });
    const [one, other] = await Promise.all([processed(desk, mail), processed(desk, mail)]);

    expect(new Set([one.arrival.state, other.arrival.state])).toEqual(new Set(['duplicate', 'processed']));
  });
});

describe('a delayed mail', () => {
  it('stays sent without a notification', async () => {
    const sent = await mailed();
    const { arrival, ticket } = await processed(desk, deliveryReport(sent.mail, 'Action: delayed\r\nStatus: 4.4.1'));

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
    await processed(desk, deliveryReport(sent.mail, `${NO_SUCH_USER} <${sent.mail.from}>`));
    const { delivery_reason: reason } = await read(sent.id);

    expect(reason).toMatch(/^550 5\.1\.1 No such user <[^+>]+@[^>]+>$/);
  });
});

describe('a delivery report to an unknown Return-Path', () => {
  it('marks no email', async () => {
    const sent = await mailed();
    const from = sent.mail.from.replace(/b\.[0-9a-v]{16}/, FORGED_TOKEN);
    await processed(desk, deliveryReport({ ...sent.mail, from }));

    expect((await read(sent.id)).delivery).toBe('sent');
  });
});
