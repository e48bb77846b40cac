import { beforeEach, describe, expect, it } from 'vitest';
import { csrfOf } from '../oauth/support/person.js';
import { addGroup, addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { mailText, processed } from '#test/support/mails.js';
import { startMailConsole } from './mail-desk.js';

const { oauth, desk, hop } = await startMailConsole();
const mailbox: { readonly name: string; readonly email: string } = await addMailbox(desk, {
  authserv_id: 'mx.acme.test',
});

let ana: string;
beforeEach(async () => {
  ana = await wanting('assigned', 'mentions', 'groups');
});

/** Creates an agent who chose these notifications in the profile. */
async function wanting(...about: string[]): Promise<string> {
  const { email } = await oauth.agent();
  const person = await oauth.person(email);
  const chosen = Object.fromEntries(about.map((reason, place) => [`about[${place}]`, reason]));
  await person.post('/profile/notices', { csrf: csrfOf(await person.get('/profile')), ...chosen });
  return email;
}

const localPart = (email: string): string => email.split('@')[0]!;
const start = async (fields: object = {}): Promise<{ number: number; customer: string }> => {
  const customer = newEmail();
  const wanted = { from: customer, mailbox: mailbox.name, subject: 'No light', body: 'It is dark.', ...fields };
  return { number: (await startTicket(desk, wanted)).number, customer };
};
const assign = (number: number, assignee: string | null) =>
  desk.client().put(`/v1/tickets/${number}/assignee`, { assignee });
const note = (number: number, body: string) =>
  desk.client().post(`/v1/tickets/${number}/messages`, { body, note: true });
const mailsTo = async (email: string): Promise<{ about: string }[]> =>
  (
    await desk.sql.query<{ about: string }>(
      "select detail ->> 'about' as about from outgoing_mails where kind = 'agent_notice' and recipient = $1 order by id",
      [email],
    )
  ).rows;
const reasonsTo = async (email: string): Promise<string[]> => (await mailsTo(email)).map(({ about }) => about);

describe('a notification to an agent', () => {
  it('has the note that mentions the agent, who wrote it and the ticket', async () => {
    const { number } = await start();
    await note(number, `Can you look, @${localPart(ana)}?`);
    const { parsed } = await hop.mailTo(ana);

    expect(parsed.subject).toBe(`#${number} No light`);
    expect(parsed.text).toContain('mentioned you in a note:\n\nCan you look');
    expect(parsed.text).toContain(`/tickets/${number}\n`);
    expect(parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted' }));
  });

  it('has the last message of a ticket that was assigned to the agent', async () => {
    const { number } = await start();
    await assign(number, ana);

    expect((await hop.mailTo(ana)).parsed.text).toMatch(/assigned this ticket to you\. .* wrote last:\n\nIt is dark\./);
  });

  it('names the group that the ticket came to, and goes to each member', async () => {
    const ben = await wanting('groups');
    const group = await addGroup(desk, { members: [ana, ben] });
    await start({ assigned_group: group.name });
    const mails = await Promise.all([hop.mailTo(ana), hop.mailTo(ben)]);

    for (const { parsed } of mails) expect(parsed.text).toContain(`assigned this ticket to your group ${group.name}.`);
  });

  it('never goes to the customer when the agent replies to it', async () => {
    const { number, customer } = await start();
    await note(number, `A secret for @${ana}`);
    const { parsed } = await hop.mailTo(ana);
    const to = parsed.replyTo![0]!.address!;
    const headers = {
      From: ana,
      To: to,
      'In-Reply-To': parsed.messageId!,
      'Authentication-Results': `mx.acme.test; dmarc=pass header.from=${ana.split('@')[1]}`,
    };
    const { arrival } = await processed(desk, mailText(headers, `Yes.\r\n\r\n> ${parsed.text}`), {
      mailbox: mailbox.email,
    });
    const { body } = await desk.client().get(`/v1/tickets/${number}/messages`);

    expect(to).toBe(mailbox.email);
    expect([arrival.state, arrival.reason]).toEqual(['quarantined', 'agent_without_token']);
    expect(body.messages).toHaveLength(2);
    expect(hop.taken.filter((mail) => mail.to === customer)).toEqual([]);
  });

  it.each([
    [
      'mentions of the agent in an assigned ticket',
      async () => {
        const group = await addGroup(desk, { members: [ana] });
        await start({
          from: desk.account.owner.email,
          to: newEmail(),
          note: true,
          body: `@${ana}`,
          assignee: ana,
          assigned_group: group.name,
        });
      },
      ['mentions'],
    ],
    [
      'an assignment to the agent and to the agent’s group',
      async () => {
        const group = await addGroup(desk, { members: [ana] });
        const { number } = await start();
        await desk.client().patch(`/v1/tickets/${number}`, { assignee: ana, assigned_group: group.name });
      },
      ['assigned'],
    ],
    [
      'an assignment that is repeated',
      async () => {
        const { number } = await start();
        await assign(number, ana);
        await assign(number, ana);
      },
      ['assigned'],
    ],
    [
      'two changes',
      async () => {
        const { number } = await start();
        await assign(number, ana);
        await assign(number, null);
        await note(number, `@${ana}`);
      },
      ['assigned', 'mentions'],
    ],
  ])('is sent once for each change: %s', async (_, act, reasons) => {
    await act();

    expect(await reasonsTo(ana)).toEqual(reasons);
  });

  it('spares the agent who acts, agents who want none, and archived agents', async () => {
    const [silent, gone] = [await wanting(), await wanting('assigned', 'mentions')];
    const { number } = await start();
    await desk.sql.query("update agents set state = 'archived' where email = $1", [gone]);
    await note(number, `@${silent} @${gone}`);
    const person = await oauth.person(ana);
    await person.act(`/tickets/${number}/assign`, { assignee: ana, assigned_group: 'none' });

    expect([await mailsTo(silent), await mailsTo(gone), await mailsTo(ana)]).toEqual([[], [], []]);
  });

  it('reports an assignment in the console, and not its undo', async () => {
    const ben = await wanting('assigned');
    const { number } = await start({ assignee: ben });
    await desk.sql.query('delete from outgoing_mails where recipient = $1', [ben]);
    const owner = await oauth.person();
    const done = await owner.act(`/tickets/${number}/assign`, { assignee: ana, assigned_group: 'none' });
    const { html } = await owner.get(done.location!);
    const [, kept] = /name="kept" value="([^"]+)"/.exec(html)!;
    await owner.act('/tickets/undo', { kept: kept! });
    const { body } = await desk.client().get(`/v1/tickets?assignee=${ben}`);

    expect(body.tickets).toHaveLength(1);
    expect([await reasonsTo(ana), await reasonsTo(ben)]).toEqual([['assigned'], []]);
  });

  it('stops after twenty per agent and hour, as in a bulk action', async () => {
    const tickets = await Promise.all(Array.from({ length: 22 }, () => start()));
    for (const { number } of tickets) await assign(number, ana);

    expect(await reasonsTo(ana)).toHaveLength(20);
  });
});
