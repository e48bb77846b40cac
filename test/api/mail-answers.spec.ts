import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { addMailbox } from '../support/desk-records.js';
import { mailText, newMailId, understood } from '../support/mails.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
  await desk.worker();
  await desk.worker();
});
afterAll(() => desk.stop());

describe('an answer by mail', () => {
  it('joins its ticket once if it was sent to two mailboxes', async () => {
    const [mailbox, first] = [await addMailbox(desk), newMailId()];
    const { ticket } = await understood(desk, mailText({ 'Message-ID': first }));
    const answer = mailText({ 'In-Reply-To': first });
    const both = await Promise.all([understood(desk, answer), understood(desk, answer, { mailbox: mailbox.email })]);

    expect(both.map(({ arrival }) => arrival.state as string).toSorted()).toEqual(['repeated', 'understood']);
    expect((await desk.client().get(`/v1/tickets/${ticket.number}`)).body.ticket.message_count).toBe(2);
  });

  it('joins the ticket of its mailbox, if that of another one is as near', async () => {
    const [mailbox, first] = [await addMailbox(desk), newMailId()];
    const mail = mailText({ 'Message-ID': first });
    const one = await understood(desk, mail);
    const other = await understood(desk, mail, { mailbox: mailbox.email });
    const answer = (to: string) => understood(desk, mailText({ 'In-Reply-To': first }), { mailbox: to });

    expect((await answer(mailbox.email)).ticket.number).toBe(other.ticket.number);
    expect((await answer(desk.account.mailbox.email)).ticket.number).toBe(one.ticket.number);
  });

  it('joins the ticket that came after a deleted one', async () => {
    const [first, second] = [newMailId(), newMailId()];
    const { ticket } = await understood(desk, mailText({ 'Message-ID': first }));
    await desk.client().delete(`/v1/tickets/${ticket.number}`);
    const successor = await understood(desk, mailText({ 'Message-ID': second, 'In-Reply-To': first }));
    const answer = await understood(desk, mailText({ 'In-Reply-To': first, References: `${first} ${second}` }));

    expect(answer.ticket).toMatchObject({ number: successor.ticket.number, message_count: 2 });
  });
});
