import { describe, expect, it } from 'vitest';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import { walkValues } from '#test/support/pages.js';
import { becomes, sendAgain, startMailDesk } from './mail-desk.js';

const { desk, hop, mailbox } = await startMailDesk();
const client = () => desk.client();

const merge = (number: number, into: number) => client().post(`/v1/tickets/${number}/merge`, { into });
const bodiesOf = (number: number): Promise<string[]> =>
  walkValues(client(), `/v1/tickets/${number}/messages?per_page=20`, 'plain_text_body');

/** Two tickets of a customer that began by email, and the mail that answers the one that will be merged. */
async function mailedTickets() {
  const from = newEmail();
  const [first, second] = [newMailId(), newMailId()];
  const send = (id: string, body: string, headers: Record<string, string> = {}) =>
    processed(desk, mailText({ From: from, To: mailbox.email, 'Message-ID': id, ...headers }, body), {
      mailbox: mailbox.email,
    });
  const kept = (await send(first, 'First.')).ticket.number as number;
  const gone = (await send(second, 'Second.')).ticket.number as number;
  await client().post(`/v1/tickets/${gone}/messages`, { body: 'Answer.' });
  const { parsed } = await hop.mailTo(from);
  return { from, send, first, second, kept, gone, replyTo: parsed.replyTo![0]!.address!, answer: parsed.messageId! };
}

describe('mail to a merged ticket', () => {
  it('arrives in the ticket that stays, by the signed address and by any of its message ids', async () => {
    const { send, kept, gone, second, replyTo, answer } = await mailedTickets();
    await merge(gone, kept);
    await send(newMailId(), 'By address.', { To: replyTo });
    await send(newMailId(), 'By our id.', { 'In-Reply-To': answer });
    await send(newMailId(), 'By their id.', { 'In-Reply-To': second });

    expect(await bodiesOf(kept)).toEqual(['First.', 'Second.', 'Answer.', 'By address.', 'By our id.', 'By their id.']);
  });

  it('arrives in the last ticket after several merges', async () => {
    const { send, from, kept, gone, replyTo } = await mailedTickets();
    const last = await startTicket(desk, { from, body: 'Last.' });
    await merge(gone, kept);
    await merge(kept, last.number);
    await send(newMailId(), 'Later.', { To: replyTo });

    expect((await bodiesOf(last.number)).at(-1)).toBe('Later.');
  });

  it('arrives once if a copy comes to another mailbox after the merge', async () => {
    const { send, from, kept, gone, replyTo } = await mailedTickets();
    const id = newMailId();
    await send(id, 'Twice.', { To: replyTo });
    await merge(gone, kept);
    const again = mailText({ From: from, To: replyTo, 'Message-ID': id }, 'Twice.');
    await processed(desk, again, { mailbox: desk.account.mailbox.email });

    expect((await bodiesOf(kept)).filter((body) => body === 'Twice.')).toHaveLength(1);
  });
});

describe('an email that waits while its ticket is merged', () => {
  it('quotes nothing of another customer', async () => {
    const [ana, ben] = [newEmail(), newEmail()];
    const kept = await startTicket(desk, { from: ben, body: 'My PIN is 1234.', mailbox: mailbox.name });
    const gone = await startTicket(desk, { from: ana, body: 'No light.', mailbox: mailbox.name });
    await client().post(`/v1/tickets/${kept.number}/messages`, { body: 'Never tell anyone your PIN.' });
    await hop.mailTo(ben);
    hop.answer({ refuse: '554 5.7.1 No' });
    const { body } = await client().post(`/v1/tickets/${gone.number}/messages`, { body: 'Which lamp?' });
    await becomes(desk, body.message.id, 'failed');
    await merge(gone.number, kept.number);
    await sendAgain(desk, body.message.id);
    const { parsed } = await hop.mailTo(ana);

    expect(parsed.text).toMatch(/ wrote:\n> No light\.\n$/);
    expect(parsed.text).not.toContain('PIN');
  });
});
