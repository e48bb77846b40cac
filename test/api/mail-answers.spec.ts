import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { addMailbox, newEmail, startTicket } from '../support/desk-records.js';
import { mailText, newMailId, understood } from '../support/mails.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
  await desk.worker();
  await desk.worker();
});
afterAll(() => desk.stop());

describe('a reply by mail', () => {
  it('joins its ticket once when it was sent to two mailboxes', async () => {
    const [mailbox, first] = [await addMailbox(desk), newMailId()];
    const { ticket } = await understood(desk, mailText({ 'Message-ID': first }));
    const answer = mailText({ 'In-Reply-To': first });
    const both = await Promise.all([understood(desk, answer), understood(desk, answer, { mailbox: mailbox.email })]);

    expect(both.map(({ arrival }) => arrival.state as string).toSorted()).toEqual(['repeated', 'understood']);
    expect((await desk.client().get(`/v1/tickets/${ticket.number}`)).body.ticket.message_count).toBe(2);
  });

  it('joins the ticket of its mailbox when both mailboxes have one', async () => {
    const [mailbox, first] = [await addMailbox(desk), newMailId()];
    const mail = mailText({ 'Message-ID': first });
    const one = await understood(desk, mail);
    const other = await understood(desk, mail, { mailbox: mailbox.email });
    const answer = (to: string) => understood(desk, mailText({ 'In-Reply-To': first }), { mailbox: to });

    expect((await answer(mailbox.email)).ticket.number).toBe(other.ticket.number);
    expect((await answer(desk.account.mailbox.email)).ticket.number).toBe(one.ticket.number);
  });

  it('joins the successor of a deleted ticket', async () => {
    const [first, second] = [newMailId(), newMailId()];
    const { ticket } = await understood(desk, mailText({ 'Message-ID': first }));
    await desk.client().delete(`/v1/tickets/${ticket.number}`);
    const successor = await understood(desk, mailText({ 'Message-ID': second, 'In-Reply-To': first }));
    const answer = await understood(desk, mailText({ 'In-Reply-To': first, References: `${first} ${second}` }));

    expect(answer.ticket).toMatchObject({ number: successor.ticket.number, message_count: 2 });
  });
});

const historyOf = async (number: number): Promise<{ kind: string; detail: object }[]> =>
  (
    await desk.sql.query<{ kind: string; detail: object }>(
      `select a.kind, a.detail from activities a join tickets t on t.id = a.ticket_id
       where t.number = $1`,
      [number],
    )
  ).rows;

describe('a reply from a sender who is not part of the ticket', () => {
  it('starts a ticket that links to the other when it answers a mail that any sender could know', async () => {
    const newsletter = newMailId();
    const seeded = await understood(desk, mailText({ From: newEmail('attacker'), 'Message-ID': newsletter }));
    const victim = newEmail('victim');
    const answer = await understood(desk, mailText({ From: victim, 'In-Reply-To': newsletter }));
    const { customer } = (await desk.client().get(`/v1/tickets/${answer.ticket.number}`)).body.ticket.links;

    expect(answer.ticket).toMatchObject({ message_count: 1 });
    expect(answer.ticket.number).not.toBe(seeded.ticket.number);
    expect(customer.href).toContain(victim);
    expect(await historyOf(answer.ticket.number)).toContainEqual({
      kind: 'other_ticket_answered',
      detail: { ticket: seeded.ticket.number },
    });
  });

  it('joins an earlier ticket in the thread in which the sender wrote', async () => {
    const [newsletter, own] = [newMailId(), newMailId()];
    const sender = newEmail();
    await understood(desk, mailText({ From: newEmail('attacker'), 'Message-ID': newsletter }));
    const { ticket } = await understood(desk, mailText({ From: sender, 'Message-ID': own }));
    const references = `${own} ${newsletter}`;
    const answer = await understood(desk, mailText({ From: sender, References: references }));

    expect(answer.ticket).toMatchObject({ number: ticket.number, message_count: 2 });
  });

  it('joins the ticket when it answers a mail of the desk, and so do later replies', async () => {
    const { number, id } = await startTicket(desk);
    const reply = (await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Try again.' })).body.message;
    const received = newMailId();
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'A note.', note: true });
    const colleague = newEmail('colleague');
    const first = { From: colleague, 'Message-ID': received, 'In-Reply-To': `<${reply.id}@desk.test>` };
    const answer = await understood(desk, mailText(first));
    const next = await understood(desk, mailText({ From: colleague, 'In-Reply-To': received }));

    expect([answer.ticket.id, next.ticket.id]).toEqual([id, id]);
    expect(next.ticket.message_count).toBe(5);
  });

  it('joins the ticket from Cc only when the reply also goes to the customer', async () => {
    const [newsletter, customer, inCopy] = [newMailId(), newEmail('customer'), newEmail('colleague')];
    const first = { From: customer, Cc: inCopy, 'Message-ID': newsletter };
    const { ticket } = await understood(desk, mailText(first));
    const answer = { From: inCopy, 'In-Reply-To': newsletter };
    const alone = await understood(desk, mailText(answer));
    const toAll = await understood(desk, mailText({ ...answer, Cc: customer }));

    expect(alone.ticket.number).not.toBe(ticket.number);
    expect(toAll.ticket).toMatchObject({ number: ticket.number, message_count: 2 });
  });

  it('goes to quarantine when its sender has started twenty tickets within the hour', async () => {
    const newsletter = newMailId();
    await understood(desk, mailText({ From: newEmail('attacker'), 'Message-ID': newsletter }));
    const from = newEmail();
    for (let n = 0; n < 20; n++) await understood(desk, mailText({ From: from }));

    expect((await understood(desk, mailText({ From: from, 'In-Reply-To': newsletter }))).arrival).toMatchObject({
      state: 'held',
      reason: 'too_many',
    });
  });
});
