import { ReplyAddressesService } from '#libs/tickets';
import { beforeAll, describe, expect, it } from 'vitest';
import { activitiesOf } from '#test/support/activities.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { mailText, newMailId, processed, whatBecameOf } from '#test/support/mails.js';

const desk = deskForFile();
beforeAll(async () => {
  await desk.worker();
  await desk.worker();
});

describe('a reply by mail', () => {
  it('joins its ticket once when it was sent to two mailboxes', async () => {
    const [mailbox, first] = [await addMailbox(desk), newMailId()];
    const { ticket } = await processed(desk, mailText({ 'Message-ID': first }));
    const answer = mailText({ 'In-Reply-To': first });
    const both = await Promise.all([processed(desk, answer), processed(desk, answer, { mailbox: mailbox.email })]);

    expect(both.map(({ arrival }) => arrival.state as string).toSorted()).toEqual(['duplicate', 'processed']);
    expect((await desk.client().get(`/v1/tickets/${ticket.number}`)).body.ticket.message_count).toBe(2);
  });

  it('joins the ticket of its mailbox when both mailboxes have one', async () => {
    const [mailbox, first] = [await addMailbox(desk), newMailId()];
    const mail = mailText({ 'Message-ID': first });
    const one = await processed(desk, mail);
    const other = await processed(desk, mail, { mailbox: mailbox.email });
    const answer = (to: string) => processed(desk, mailText({ 'In-Reply-To': first }), { mailbox: to });

    expect((await answer(mailbox.email)).ticket.number).toBe(other.ticket.number);
    expect((await answer(desk.account.mailbox.email)).ticket.number).toBe(one.ticket.number);
  });

  it('joins the successor of a deleted ticket', async () => {
    const [first, second] = [newMailId(), newMailId()];
    const { ticket } = await processed(desk, mailText({ 'Message-ID': first }));
    await desk.client().delete(`/v1/tickets/${ticket.number}`);
    const successor = await processed(desk, mailText({ 'Message-ID': second, 'In-Reply-To': first }));
    const answer = await processed(desk, mailText({ 'In-Reply-To': first, References: `${first} ${second}` }));

    expect(answer.ticket).toMatchObject({ number: successor.ticket.number, message_count: 2 });
    expect((await activitiesOf(desk, successor.ticket.number)).map(({ kind }) => kind)).toContain(
      'deleted_ticket_answered',
    );
  });
});

async function replied(fields: object = {}) {
  const from = newEmail();
  const { number } = await startTicket(desk, { from });
  const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Try again.', ...fields });
  return { from, number: number as number, reply: `<${body.message.id}@desk.test>` };
}

describe('a reply that names a message of the desk, and no signed address', () => {
  it('joins the ticket from the customer, also under the address to which the message was sent', async () => {
    const { from, number, reply } = await replied();
    const renamed = await replied();
    await desk.client().put(`/v1/customers/${renamed.from}`, { email: newEmail('renamed') });
    const answers = [
      await processed(desk, mailText({ From: from, 'In-Reply-To': reply })),
      await processed(desk, mailText({ From: renamed.from, 'In-Reply-To': renamed.reply })),
    ];

    expect(answers.map(({ ticket }) => ticket.number as number)).toEqual([number, renamed.number]);
  });

  it('joins the ticket from a person in its Cc, who answers the desk alone', async () => {
    const boss = newEmail('boss');
    const { number, reply } = await replied({ cc: [boss] });
    const answer = await processed(desk, mailText({ From: boss.toUpperCase(), 'In-Reply-To': reply }));

    expect(answer.ticket).toMatchObject({ number, message_count: 3 });
  });

  it('starts a ticket from a person whom a customer’s mail claims to copy', async () => {
    const victim = newEmail('victim');
    const { message } = await processed(desk, mailText({ From: newEmail('attacker'), Cc: victim }));
    const answer = await processed(desk, mailText({ From: victim, 'In-Reply-To': `<${message.id}@desk.test>` }));

    expect(answer.ticket.message_count).toBe(1);
  });

  it('joins the ticket when it was sent with the address of an agent and released', async () => {
    const { email } = await inviteAgent(desk);
    const { number, reply } = await replied();
    const { arrival } = await processed(desk, mailText({ From: email, 'In-Reply-To': reply }));
    await desk.client().post(`/v1/arrivals/${arrival.id}/release`, {});
    const { ticket } = await whatBecameOf(desk, arrival);

    expect([arrival.state, ticket.number]).toEqual(['quarantined', number]);
  });
});

describe('a reply from a sender who is not part of the ticket', () => {
  it('starts a ticket that links to the other when it answers an email that any sender could know', async () => {
    const newsletter = newMailId();
    const seeded = await processed(desk, mailText({ From: newEmail('attacker'), 'Message-ID': newsletter }));
    const victim = newEmail('victim');
    const answer = await processed(desk, mailText({ From: victim, 'In-Reply-To': newsletter }));
    const { customer } = (await desk.client().get(`/v1/tickets/${answer.ticket.number}`)).body.ticket.links;

    expect(answer.ticket).toMatchObject({ message_count: 1 });
    expect(answer.ticket.number).not.toBe(seeded.ticket.number);
    expect(customer.href).toContain(victim);
    expect(await activitiesOf(desk, answer.ticket.number)).toContainEqual({
      kind: 'other_ticket_answered',
      detail: { ticket: seeded.ticket.number },
    });
  });

  it('joins an earlier ticket in the thread in which the sender wrote', async () => {
    const [newsletter, own] = [newMailId(), newMailId()];
    const sender = newEmail();
    await processed(desk, mailText({ From: newEmail('attacker'), 'Message-ID': newsletter }));
    const { ticket } = await processed(desk, mailText({ From: sender, 'Message-ID': own }));
    const references = `${own} ${newsletter}`;
    const answer = await processed(desk, mailText({ From: sender, References: references }));

    expect(answer.ticket).toMatchObject({ number: ticket.number, message_count: 2 });
  });

  it('starts a ticket that links to the other when it names a message of the desk, and so do later replies', async () => {
    const { number, reply } = await replied();
    const [stranger, received] = [newEmail('stranger'), newMailId()];
    const first = { From: stranger, 'Message-ID': received, 'In-Reply-To': reply };
    const answer = await processed(desk, mailText(first));
    const next = await processed(desk, mailText({ From: stranger, 'In-Reply-To': received, References: reply }));

    expect(answer.ticket).toMatchObject({ message_count: 1 });
    expect(next.ticket).toMatchObject({ number: answer.ticket.number, message_count: 2 });
    expect((await desk.client().get(`/v1/tickets/${number}`)).body.ticket.message_count).toBe(2);
    expect(await activitiesOf(desk, answer.ticket.number)).toContainEqual({
      kind: 'other_ticket_answered',
      detail: { ticket: number },
    });
  });

  it('joins the ticket when it comes to the signed address', async () => {
    const { number, reply } = await replied();
    const to = new ReplyAddressesService(desk.settings).of(desk.account.mailbox.email, desk.account.id, number);
    const answer = await processed(desk, mailText({ From: newEmail('colleague'), To: to, 'In-Reply-To': reply }));

    expect(answer.ticket).toMatchObject({ number, message_count: 3 });
  });

  it('joins the ticket from Cc only when the reply also goes to the customer', async () => {
    const [newsletter, customer, inCopy] = [newMailId(), newEmail('customer'), newEmail('colleague')];
    const first = { From: customer, Cc: inCopy, 'Message-ID': newsletter };
    const { ticket } = await processed(desk, mailText(first));
    const answer = { From: inCopy, 'In-Reply-To': newsletter };
    const alone = await processed(desk, mailText(answer));
    const toAll = await processed(desk, mailText({ ...answer, Cc: customer }));

    expect(alone.ticket.number).not.toBe(ticket.number);
    expect(toAll.ticket).toMatchObject({ number: ticket.number, message_count: 2 });
  });

  it('goes to quarantine as a new mail does when its sender has started twenty tickets within the hour', async () => {
    const newsletter = newMailId();
    await processed(desk, mailText({ From: newEmail('attacker'), 'Message-ID': newsletter }));
    const from = newEmail();
    for (let n = 0; n < 20; n++) await processed(desk, mailText({ From: from }));

    for (const headers of [{}, { 'In-Reply-To': newsletter }])
      expect((await processed(desk, mailText({ From: from, ...headers }))).arrival).toMatchObject({
        state: 'quarantined',
        reason: 'too_many',
      });
  });
});
