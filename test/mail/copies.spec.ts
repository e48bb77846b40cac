import { describe, expect, it } from 'vitest';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, processed } from '#test/support/mails.js';
import type { ReceivedMail } from '#test/support/next-hop.js';
import { deliveryReport, readMessage, replyFrom, sendAgain, startMailDesk } from './mail-desk.js';

const { desk, hop, mailbox } = await startMailDesk();

async function sent() {
  const boss = newEmail();
  const { id, number, to: carl } = await replyFrom(desk, mailbox.name, { cc: [boss] });
  return { id, number, carl, boss };
}

const read = (id: string) => readMessage(desk, id);
const again = (id: string) => sendAgain(desk, id);
const mailsTo = (email: string): ReceivedMail[] => hop.taken.filter(({ to }) => to === email);
const queued = async (id: string): Promise<number> => {
  const text = "select from outgoing_mails where $1 in (message_id, copy_of) and state = 'queued'";
  return (await desk.sql.query(text, [id])).rowCount!;
};
const ended = (id: string) => eventually(async () => (await queued(id)) === 0, { withinMs: 20_000 });
const bounce = async (email: string) => processed(desk, deliveryReport(await hop.mailTo(email)));

async function faultOf(fields: object): Promise<unknown> {
  const wanted = { body: 'Hello', from: desk.account.owner.email, to: newEmail(), ...fields };
  return (await desk.client().post('/v1/tickets', wanted)).body.errors?.[0];
}

describe('a copy of a reply', () => {
  it('names its recipient when it bounces, while the mail to the customer stays sent', async () => {
    const { id, carl, boss } = await sent();
    await bounce(boss);

    expect(await read(id)).toMatchObject({ delivery: 'sent', delivery_reason: `${boss}: 550 5.1.1 No such user` });
    expect(mailsTo(carl)).toHaveLength(1);
  });

  it('goes out again alone when it failed', async () => {
    const { id, carl, boss } = await sent();
    await ended(id);
    await bounce(boss);
    const { status } = await again(id);
    await ended(id);
    await eventually(() => mailsTo(boss).length === 2);

    expect([status, (await again(id)).status]).toEqual([200, 409]);
    expect(await read(id)).toMatchObject({ delivery: 'sent', delivery_reason: null });
    expect(mailsTo(carl)).toHaveLength(1);
    expect(mailsTo(boss).map(({ parsed }) => parsed.cc?.[0]?.address)).toEqual([boss, boss]);
  });

  it('retries alone when its server postpones it', async () => {
    hop.answer('take', { refuseRecipient: '451 4.7.1 Later' });
    const { id } = await sent();
    // The other mail may end before or after this one.
    await eventually(async () => (await read(id)).delivery_reason !== null && (await queued(id)) === 1, {
      withinMs: 20_000,
    });
    await desk.sql.query('update outgoing_mails set due_at = now() where $1 in (message_id, copy_of)', [id]);
    await ended(id);

    expect(await read(id)).toMatchObject({ delivery: 'sent', delivery_reason: null });
  });

  it('stays sent when the mail to the customer bounces', async () => {
    const { id, carl, boss } = await sent();
    await ended(id);
    await bounce(carl);
    const told = await read(id);
    await again(id);
    await ended(id);
    await eventually(() => mailsTo(carl).length === 2);

    expect(told).toMatchObject({ delivery: 'bounced', delivery_reason: '550 5.1.1 No such user' });
    expect(mailsTo(boss)).toHaveLength(1);
  });
});

describe('a person in Cc', () => {
  it('replies into the ticket', async () => {
    const { number, carl, boss } = await sent();
    const { parsed } = await hop.mailTo(boss);
    const headers = { From: boss, To: parsed.replyTo![0]!.address!, Cc: carl, 'In-Reply-To': parsed.messageId! };
    const { ticket, message } = await processed(desk, mailText(headers));

    expect(ticket.number).toBe(number);
    expect(message).toMatchObject({ to: [mailbox.email], cc: [carl] });
    expect(decodeURIComponent(message.links.author.href)).toContain(boss);
  });

  it('receives no reply to automatic mail, even if two desks are in Cc of each other', async () => {
    const far = await addMailbox(desk);
    const [carl, desks] = [newEmail(), ['desk-of-a-supplier@far.test']];
    const headers = { From: carl, To: mailbox.email, Cc: `${desks[0]}, ${far.email}` };
    const { ticket } = await processed(desk, mailText(headers), { mailbox: mailbox.email });
    const before = hop.taken.length;
    const confirmation = { From: desks[0]!, To: mailbox.email, Cc: carl, 'Auto-Submitted': 'auto-replied' };
    await processed(desk, mailText({ ...confirmation, 'In-Reply-To': null }), { mailbox: mailbox.email });
    const { id } = await sent();
    await ended(id);
    await eventually(() => hop.taken.length === before + 2);

    expect(ticket.message_count).toBe(1);
    expect(mailsTo(desks[0]!)).toEqual([]);
  });
});

describe('a ticket started by an agent', () => {
  it.each([
    [true, 2],
    [false, 0],
  ])('emails people in Cc like the customer with send_copy_to_customer %s', async (copy, count) => {
    const [carl, boss] = [newEmail(), newEmail()];
    const wanted = {
      from: desk.account.owner.email,
      to: carl,
      cc: [boss],
      mailbox: mailbox.name,
      send_copy_to_customer: copy,
    };
    const { number } = await startTicket(desk, wanted);
    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
    await ended(messages[0].id as string);

    expect(messages).toMatchObject([{ to: [carl], cc: [boss] }]);
    expect([...mailsTo(carl), ...mailsTo(boss)]).toHaveLength(count);
  });

  it('rejects a Cc for a note, and an address of the account', async () => {
    expect(await faultOf({ cc: [newEmail()], note: true })).toMatchObject({ field: 'cc', code: 'cc_of_note' });
    expect(await faultOf({ cc: [mailbox.email] })).toMatchObject({ field: 'cc', code: 'own_address' });
  });
});
