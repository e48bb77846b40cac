import { beforeEach, describe, expect, it } from 'vitest';
import { csrfOf } from '../oauth/support/person.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, processed } from '#test/support/mails.js';
import type { ReceivedMail } from '#test/support/next-hop.js';
import { mailLines, talk } from '#test/support/smtp.js';
import { freePort } from '../../apps/launcher/src/ports.js';
import { startMailConsole } from './mail-desk.js';

const OURS = 'mx.acme.test';

const port = await freePort();
const { oauth, desk, hop } = await startMailConsole({ MAIL_PORT: `${port}` });
const mailbox: { readonly name: string; readonly email: string } = await addMailbox(desk, { authserv_id: OURS });

let agent: string;
let colleague: string;
beforeEach(async () => {
  [agent, colleague] = [await wanting(true), await wanting(true)];
});

/** Creates an agent whose profile enables or disables mail notifications of replies. */
async function wanting(replies: boolean): Promise<string> {
  const { email } = await oauth.agent();
  const person = await oauth.person(email);
  await person.post('/profile/notices', {
    csrf: csrfOf(await person.get('/profile')),
    ...(replies && { 'about[]': 'replies' }),
  });
  return email;
}

interface Conversation {
  readonly customer: string;
  readonly number: number;
}
const ticketOf = async (assignee: string): Promise<Conversation> => {
  const customer = newEmail();
  const { number } = await startTicket(desk, { from: customer, mailbox: mailbox.name, subject: 'No light', assignee });
  return { customer, number };
};
const write = ({ customer, number }: Conversation, fields: object = {}) =>
  desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Are you there?', author: customer, ...fields });

interface Noticed extends Conversation {
  readonly notice: ReceivedMail;
  /** Reply address of the notice. */
  readonly to: string;
}
async function noticed(assignee = agent): Promise<Noticed> {
  const ticket = await ticketOf(assignee);
  await write(ticket);
  const notice = await hop.mailTo(assignee);
  return { ...ticket, notice, to: notice.parsed.replyTo![0]!.address! };
}

const PROVEN = (email: string) => `${OURS}; spf=pass; dmarc=pass header.from=${email.split('@')[1]}`;
const answerTo = (to: string, headers: Record<string, string | null> = {}, text = 'On it.') =>
  mailText({ From: agent, To: to, 'Authentication-Results': PROVEN(agent), ...headers }, text);
const NOTHING = 'On Mon, 3 Mar 2025 at 10:11, Acme wrote:\r\n> === Write your reply above this line ===';
const claiming = (results: string | null) => (to: string) => answerTo(to, { 'Authentication-Results': results });
const arrived = async (mail: string) => processed(desk, mail, { mailbox: mailbox.email });
const reasonOf = async (mail: string) => {
  const { arrival, ticket } = await arrived(mail);
  return ticket === undefined ? `${arrival.state} ${arrival.reason}` : `ticket #${ticket.number}`;
};
const kindsSince = async (before: number) => {
  const { rows } = await desk.sql.query<{ kind: string }>('select kind from events order by sequence offset $1', [
    before,
  ]);
  return rows.map(({ kind }) => kind);
};
const countEvents = async () => (await desk.sql.query('select from events')).rowCount!;
const noticesOf = async (email: string) =>
  (await desk.sql.query("select from outgoing_mails where kind = 'agent_notice' and recipient = $1", [email])).rowCount;

describe('reply by mail', () => {
  it('notifies the agent of a customer’s reply, and sends the agent’s answer to the customer as from the console', async () => {
    const { customer, number, notice, to } = await noticed();
    const before = await countEvents();
    const quoted = notice.parsed.text!.split('\n').map((line) => `> ${line}`);
    const text = ['On it.', '', `On Mon, 3 Mar 2025 at 10:11, Acme <${to}> wrote:`, ...quoted].join('\r\n');
    const { arrival, message } = await arrived(answerTo(to, { 'In-Reply-To': notice.parsed.messageId! }, text));
    const mail = await hop.mailTo(customer);

    expect(notice.parsed.text).toContain('Are you there?');
    expect(notice.parsed.text).not.toContain(to);
    expect(notice.parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted' }));
    expect(to).toMatch(new RegExp(`\\+a${number}\\.[0-9a-v]{24}@`));
    expect(arrival.verdicts).toMatchObject({ dmarc: 'pass' });
    expect(message).toMatchObject({ agent_response: true, body: 'On it.', channel: 'email' });
    expect(decodeURIComponent(message.links.author.href)).toContain(agent);
    expect(await kindsSince(before)).toEqual(['agent_replied', 'ticket_opened']);
    expect(mail.parsed.text).toMatch(/^On it\.\n\n/);
    expect(mail.raw).not.toContain('+a');
    expect(mail.parsed.replyTo![0]!.address).not.toBe(to);
  });

  it('sends the answer to everyone in Cc, as the notice says', async () => {
    const ticket = await ticketOf(agent);
    const boss = newEmail();
    await write(ticket, { cc: [boss] });
    const notice = await eventually(() =>
      hop.taken.find(({ parsed, to: email }) => email === agent && parsed.text?.includes(boss)),
    );
    const { message } = await arrived(answerTo(notice.parsed.replyTo![0]!.address!));

    expect(notice.parsed.text).toContain(`Your reply will also be copied to: ${boss}`);
    expect([message.to, message.cc]).toEqual([[ticket.customer], [boss]]);
    expect((await hop.mailTo(boss)).parsed.text).toMatch(/^On it\./);
  });

  it('sends the files of the answer to the customer', async () => {
    const { customer, to } = await noticed();
    const parts = ['--b', '', 'On it.', '--b', 'Content-Disposition: attachment; filename="a.csv"', '', 'a;b', '--b--'];
    await arrived(answerTo(to, { 'Content-Type': 'multipart/mixed; boundary=b' }, parts.join('\r\n')));

    expect((await hop.mailTo(customer)).parsed.attachments).toMatchObject([{ filename: 'a.csv' }]);
  });

  it('sends only the unquoted text of an HTML answer', async () => {
    const { to } = await noticed();
    const quotation = `<blockquote>=== Write your reply above this line ===<br>Are you there? ${to}</blockquote>`;
    const markup = `<div>On <b>it</b>.</div><div>On Mon, 3 Mar 2025 at 10:11, Acme wrote:${quotation}</div>`;
    const { message } = await arrived(answerTo(to, { 'Content-Type': 'text/html; charset=utf-8' }, markup));

    expect(message).toMatchObject({ agent_response: true, body: 'On it.' });
  });

  it('sends no notice of other agents’ tickets, automatic mail or colleagues’ messages', async () => {
    const silent = await wanting(false);
    const [theirs, quiet] = [await ticketOf(agent), await ticketOf(silent)];
    await desk.client().post(`/v1/tickets/${theirs.number}/messages`, { body: 'A note', note: true });
    await desk.client().post(`/v1/tickets/${theirs.number}/messages`, { body: 'Hello' });
    const { raw } = await hop.mailTo(theirs.customer);
    const replyTo = /^Reply-To: (.*)$/im.exec(raw)![1]!;
    await arrived(mailText({ From: theirs.customer, To: replyTo, 'Auto-Submitted': 'auto-replied' }));
    await write(quiet);
    await write(theirs, { sent_at: '2024-01-01T00:00:00Z' });
    expect([await noticesOf(agent), await noticesOf(silent)]).toEqual([0, 0]);
    await arrived(mailText({ From: theirs.customer, To: replyTo }));

    expect(await noticesOf(agent)).toBe(1);
  });

  it('stops the notices when messages come faster than people write', async () => {
    const ticket = await ticketOf(agent);
    for (let count = 0; count < 25; count++) await write(ticket);

    expect(await noticesOf(agent)).toBe(19);
  });
});

describe('the quarantine of mail from an agent’s address', () => {
  it.each<[string, string, (to: string) => string]>([
    ['no check says who wrote it', 'agent_unproven', claiming(null)],
    [
      'another server says that it passed',
      'agent_unproven',
      claiming('mx.evil.test; dmarc=pass header.from=acme.test'),
    ],
    ['the check was about another domain', 'agent_unproven', claiming(`${OURS}; dmarc=pass header.from=evil.test`)],
    ['it names two authors', 'agent_unproven', (to) => answerTo(to, { From: `${agent}, eve@evil.test` })],
    [
      'the address is only where a server delivered it',
      'agent_without_token',
      (to) => answerTo(mailbox.email, { 'Delivered-To': to }),
    ],
    [
      'a second line of recipients was put above',
      'agent_without_token',
      (to) => answerTo(mailbox.email).replace('To:', `To: ${to}\r\nTo:`),
    ],
    ['it was sent to the mailbox', 'agent_without_token', () => answerTo(mailbox.email)],
    [
      'the signature is another one',
      'agent_without_token',
      (to) => answerTo(to.replace(/[0-9a-v]@/, (last) => (last === '0@' ? '1@' : '0@'))),
    ],
    ['the address is made for another ticket', 'agent_without_token', (to) => answerTo(to.replace(/\+a(\d+)/, '+a1'))],
    ['a colleague has the address', 'agent_without_token', (to) => answerTo(to, { From: colleague })],
    ['a program wrote it', 'agent_automatic', (to) => answerTo(to, { 'Auto-Submitted': 'auto-replied' })],
    ['nothing is in it', 'agent_empty', (to) => answerTo(to, {}, NOTHING)],
  ])('quarantines the mail when %s', async (_, reason, mail) => {
    const { customer, to } = await noticed();

    expect(await reasonOf(mail(to))).toBe(`quarantined ${reason}`);
    expect(hop.taken.filter(({ to: whom }) => whom === customer)).toEqual([]);
  });

  it('quarantines the mail when the ticket is deleted or the agent is archived', async () => {
    const [one, other] = [await noticed(agent), await noticed(colleague)];
    await desk.client().delete(`/v1/tickets/${one.number}`);
    await desk.client().post(`/v1/agents/${colleague}/archive`);

    expect(await reasonOf(answerTo(one.to))).toBe('quarantined agent_ticket_deleted');
    expect(await reasonOf(answerTo(other.to, { From: colleague }))).toBe('quarantined agent_address');
  });

  it('goes on to the ticket of the same customer after a merge, and never to another customer', async () => {
    const [same, other] = [await noticed(agent), await noticed(colleague)];
    const from = { From: colleague, 'Authentication-Results': PROVEN(colleague) };
    const kept = await startTicket(desk, { from: same.customer, mailbox: mailbox.name });
    const ofOther = await startTicket(desk, { mailbox: mailbox.name });
    await desk.client().post(`/v1/tickets/${same.number}/merge`, { into: kept.number });
    await desk.client().post(`/v1/tickets/${other.number}/merge`, { into: ofOther.number });

    expect(await reasonOf(answerTo(same.to))).toBe(`ticket #${kept.number}`);
    expect(await reasonOf(answerTo(other.to, from))).toBe('quarantined agent_ticket_deleted');
  });

  it('quarantines the notice when it comes back', async () => {
    const { notice } = await noticed();

    expect(await reasonOf(notice.raw)).toBe('quarantined own_mail');
  });

  it('delivers a released mail as a customer’s message', async () => {
    const { to } = await noticed();
    const { arrival } = await arrived(answerTo(to, { 'Authentication-Results': null }));
    await desk.client().post(`/v1/arrivals/${arrival.id}/release`);
    const taken = await eventually(async () => {
      const found = (await desk.client().get(`/v1/arrivals/${arrival.id}`)).body.arrival;
      return found.state === 'processed' && found;
    });
    const { message } = (await desk.client().get(new URL(taken.links.message.href).pathname)).body;

    expect(message.agent_response).toBe(false);
  });
});

describe('an agent’s reply address', () => {
  it('grants nothing to a stranger who knows it, and accepts the same answer once', async () => {
    const { customer, number, to } = await noticed();
    const stranger = await reasonOf(
      answerTo(to, { From: newEmail(), 'Authentication-Results': `${OURS}; dmarc=pass header.from=client.test` }),
    );
    const answer = answerTo(to);
    expect(await talk(port, mailLines(agent, [to], answer))).toEqual(['250', '250', '354', '250']);
    expect(await talk(port, mailLines(agent, [to.replace(/\+a(\d+)\../, '+a$1.z')], answer))).toContain('550');
    await hop.mailTo(customer);
    expect((await arrived(answer)).arrival.state).toBe('duplicate');
    await hop.mailTo(customer);

    expect(stranger).toMatch(/^ticket #/);
    expect(stranger).not.toBe(`ticket #${number}`);
    expect(hop.taken.filter(({ to: whom }) => whom === customer)).toHaveLength(1);
  });
});
