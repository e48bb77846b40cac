import { ScheduledRepliesService } from '#libs/tickets';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { type Page, csrfOf } from '../../oauth/support/person.js';
import { addMailbox, newEmail, ticketFromAna } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';
import { formOf } from '#test/support/upload.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const held = oauth.desk.api.get(ScheduledRepliesService);
const { account } = oauth.desk;
beforeEach(() => sql('delete from held_replies; update accounts set undo_send_seconds = 30'));
afterAll(() => oauth.stop());

const client = () => oauth.desk.client();
const sql = async (text: string, values?: unknown[]) =>
  (await oauth.desk.sql.query<Record<string, unknown>>(text, values)).rows;

const FOCUSED_TO = /<input autofocus[^>]* name="to"/;
const TICKET = { subject: 'Your order', body: 'Dear Ana', mailbox: 'Support', assignee: account.owner.email };

/** Sends the form of /tickets/new with its hidden fields, and a file. */
async function write(fields: Record<string, string>, { file, page }: { file?: string; page?: Page } = {}) {
  const form = formOf([]);
  const typed = { ...TICKET, mailbox: account.mailbox.name, ...fields };
  for (const [name, value] of Object.entries(page ? fieldsOf(page, typed) : typed)) form.append(name, value);
  form.append('csrf', csrfOf(page ?? (await owner.get('/tickets/new'))));
  for (const id of filesIn(page)) form.append('file', id);
  if (file) form.append('files', new Blob([file], { type: 'text/plain' }), 'note.txt');
  return owner.send('POST', '/tickets', { body: form });
}

const fieldsOf = ({ html }: Page, typed: Record<string, string>): Record<string, string> => ({
  ...typed,
  ...Object.fromEntries(
    [...html.matchAll(/type="hidden" name="(held|forward|forwarded|back)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  ),
});

const filesIn = (page: Page | undefined): string[] =>
  [...(page?.html ?? '').matchAll(/name="file" value="([^"]+)"/g)].map(([, id]) => id!);

async function undo(done: Page): Promise<Page> {
  const { html } = await owner.get(done.location!);
  return owner.act(/action="(\/tickets\/new\/[^"]+\/undo)"/.exec(html)![1]!, {});
}

const due = async (): Promise<void> => {
  oauth.desk.clock.advance({ minutes: 1 });
  expect((await held.sendDue()).errors).toEqual([]);
};

const ticketsOf = async (email: string) =>
  (await client().get(`/v1/tickets?customer=${encodeURIComponent(email)}&include=messages`)).body.tickets;

describe('a new ticket', () => {
  it('waits without ticket, customer, event or mail, and is then created once by several processes', async () => {
    const to = newEmail();
    const done = await write({ to }, { file: 'the contract' });
    expect(done.location).toBe('/inbox');
    expect((await owner.get('/inbox')).html).toContain(`Ticket to ${to} will be created in`);
    expect((await client().get(`/v1/customers/${to}`)).status).toBe(404);

    oauth.desk.clock.advance({ minutes: 1 });
    await Promise.all([held.sendDue(), held.sendDue(), held.sendDue()]);

    const [ticket, ...others] = await ticketsOf(to);
    expect(others).toEqual([]);
    expect(ticket).toMatchObject({ state: 'pending', title: 'Your order', assignee: account.owner.email });
    expect(ticket.messages).toMatchObject([{ body: 'Dear Ana', attachments: [{ name: 'note.txt' }] }]);
  });

  it('comes back into its form when it is undone, and is sent again once with its file', async () => {
    const to = newEmail();
    const undone = await undo(await write({ to, priority: 'high' }, { file: 'the contract' }));
    const page = await owner.get(undone.location!);
    for (const value of [`value="${to}"`, 'Dear Ana', 'Your order', 'note.txt']) expect(page.html).toContain(value);
    expect((await owner.get('/tickets/new')).html).toContain(`unsent new ticket to ${to}`);
    await due();
    expect(await ticketsOf(to)).toEqual([]);

    expect((await write({ to, body: 'Dear Bo' }, { page })).status).toBe(303);
    expect((await write({ to, body: 'Dear Cy' }, { page })).status).toBe(409);
    await due();
    const [ticket, ...others] = await ticketsOf(to);
    expect(others).toEqual([]);
    expect(ticket.messages).toMatchObject([{ body: 'Dear Bo', attachments: [{ name: 'note.txt' }] }]);
    expect((await owner.get('/tickets/new')).html).not.toContain('unsent new ticket');
  });

  it('keeps its undone text out of reach of colleagues, and is discarded with its file', async () => {
    const to = newEmail();
    const undone = await undo(await write({ to }, { file: 'the contract' }));
    const noah = await oauth.person((await seedAgent(oauth.desk.sql, account.id)).email);
    const id = new URL(undone.location!, 'http://x').searchParams.get('held')!;
    expect((await noah.get(undone.location!)).html).not.toContain(to);
    await noah.act(`/tickets/new/${id}/discard`);
    expect((await owner.get(undone.location!)).html).toContain('Dear Ana');

    await owner.act(`/tickets/new/${id}/discard`);
    expect(await sql('select id from held_replies')).toEqual([]);
    expect(await sql('select id from draft_files')).toEqual([]);
    expect((await owner.act(`/tickets/new/${id}/undo`)).status).toBe(303);
    expect((await owner.act('/tickets/new/x/undo')).status).toBe(303);
  });

  it('becomes unsent again when its mailbox is gone at its time', async () => {
    const to = newEmail();
    const { id, name } = await addMailbox(oauth.desk);
    await write({ to, mailbox: name }, { file: 'the contract' });
    expect((await client().delete(`/v1/mailboxes/${id}`)).status).toBe(204);
    await due();

    expect(await ticketsOf(to)).toEqual([]);
    const list = await owner.get('/tickets/new');
    const page = await owner.get(/href="(\/tickets\/new\?held=[^"]+)"/.exec(list.html)![1]!);
    expect(page.html).toContain('Dear Ana');
    expect(filesIn(page)).toHaveLength(1);
  });

  it('starts at once, without an assignee, when its author is archived', async () => {
    const to = newEmail();
    const noah = await seedAgent(oauth.desk.sql, account.id);
    await write({ to });
    await sql(
      `update held_replies set agent_id = $1,
         new_ticket = new_ticket || jsonb_build_object('assignee', $2::text, 'from', jsonb_build_object('email', $2::text))`,
      [noah.id, noah.email],
    );
    expect((await client().post(`/v1/agents/${noah.id}/archive`)).status).toBe(200);
    await held.sendDue();

    expect(await ticketsOf(to)).toMatchObject([{ assignee: null, title: 'Your order' }]);
  });

  it('starts at once as open when it begins with a note', async () => {
    const to = newEmail();
    expect((await write({ to, note: 'yes', assignee: '' })).location).toMatch(/^\/tickets\/\d+$/);
    expect(await ticketsOf(to)).toMatchObject([{ state: 'opened', assignee: null }]);
  });

  it('returns 422 before it waits when its values are unknown', async () => {
    const refused = await write({ to: newEmail(), assignee: 'nobody@else.example' });
    expect(refused.status).toBe(422);
    expect(refused.html).not.toMatch(FOCUSED_TO);
    expect((await owner.get('/tickets/new')).html).toMatch(FOCUSED_TO);
    expect(await sql('select id from held_replies')).toEqual([]);
  });
});

const linkTo = (number: number) => `<a href="/tickets/${number}">#${number}</a>`;

describe('a forwarded message', () => {
  it('fills the form with its text and takes its files along', async () => {
    const number = await ticketFromAna(oauth.desk, { body: 'My bill is wrong.', subject: 'Bill' });
    const [message] = (await client().get(`/v1/tickets/${number}/messages`)).body.messages;
    await client().post(`/v1/messages/${message.id}/attachments`, formOf([{ name: 'bill.txt', bytes: '5 EUR' }]));
    const page = await owner.get(`/tickets/new?forward=${message.id}`);
    for (const text of ['Fwd: Bill', 'Forwarded message', 'ana@client.example', 'My bill is wrong.'])
      expect(page.html).toContain(text);

    const to = newEmail();
    await write({ to, body: /<textarea[^>]*>([^<]*)/.exec(page.html)![1]! }, { page });
    await due();
    const [ticket] = await ticketsOf(to);
    expect(ticket.messages[0].plain_text_body).toContain('From: ana@client.example');
    const [copy] = ticket.messages[0].attachments;
    expect(copy).toMatchObject({ name: 'bill.txt', size: 5 });
    expect(copy.id).not.toBe(message.id);
  });

  it('names the other ticket in both tickets', async () => {
    const number = await ticketFromAna(oauth.desk, { subject: 'Bill' });
    const [message] = (await client().get(`/v1/tickets/${number}/messages`)).body.messages;
    const to = newEmail();
    await write({ to }, { page: await owner.get(`/tickets/new?forward=${message.id}`) });
    await due();
    const [ticket] = await ticketsOf(to);

    const source = (await owner.get(`/tickets/${number}`)).html;
    expect(source).toContain(`forwarded this to ${to} as ${linkTo(ticket.number)}`);
    const { html } = await owner.get(`/tickets/${ticket.number}`);
    expect(html).toContain(`forwarded this from ${linkTo(number)}`);
  });

  it('keeps its recipient as the customer, although its text begins with the mail of another', async () => {
    const number = await ticketFromAna(oauth.desk, { subject: 'Bill' });
    const page = await owner.get(`/tickets/new?forward=${number}`);
    const to = newEmail();
    await write({ to, subject: 'Fwd: Bill', body: /<textarea[^>]*>([^<]*)/.exec(page.html)![1]! }, { page });
    await due();
    const [ticket] = await ticketsOf(to);
    expect((await owner.get(`/tickets/${ticket.number}`)).html).not.toContain('Make customer');
  });

  it.each([
    [30, /Forward to \S+ will be sent in/],
    [0, /Forwarded to \S+ as #\d+\./],
  ])('leads back to its ticket in its list, with a delay of %i seconds', async (seconds, toast) => {
    await sql('update accounts set undo_send_seconds = $1', [seconds]);
    const number = await ticketFromAna(oauth.desk);
    const ticket = await owner.get(`/tickets/${number}?folder=open`);
    const link = new RegExp(`href="([^"]*forward=${number}[^"]*)"`).exec(ticket.html)![1]!;
    const page = await owner.get(link.replaceAll('&amp;', '&'));
    expect(page.html).not.toMatch(/name="(first_name|note)"|of a customer/);

    const done = await write({ to: newEmail() }, { page });
    expect(done.location).toBe(`/tickets/${number}?folder=open`);
    expect((await owner.follow(done)).html).toMatch(toast);
  });

  it('returns 404 when its ticket is deleted or its id is unknown', async () => {
    const number = await ticketFromAna(oauth.desk);
    const [message] = (await client().get(`/v1/tickets/${number}/messages`)).body.messages;
    await client().delete(`/v1/tickets/${number}`);
    for (const id of [message.id, 'x', account.id])
      expect((await owner.get(`/tickets/new?forward=${id}`)).status).toBe(404);
  });
});

describe('a forwarded ticket', () => {
  it('has its messages in order with their files, but no notes', async () => {
    const number = await ticketFromAna(oauth.desk, { body: 'It is broken.', subject: 'Printer' });
    const post = (body: object) => client().post(`/v1/tickets/${number}/messages`, body);
    await post({ body: 'Between us: again.', note: true });
    const { message } = (await post({ body: 'Which one?' })).body;
    await client().post(`/v1/messages/${message.id}/attachments`, formOf([{ name: 'map.txt', bytes: 'Here' }]));
    const page = await owner.get(`/tickets/new?forward=${number}`);
    const text = /<textarea[^>]*>([^<]*)/.exec(page.html)![1]!;
    expect(text).toMatch(/It is broken\.[^]*From: [^]*Which one\?/);
    expect(text).not.toContain('Between us');
    expect(page.html).toContain(`<h1 class="break">Forward #${number}</h1>`);

    const to = newEmail();
    await write({ to, body: text }, { page });
    await due();
    const [ticket] = await ticketsOf(to);
    expect(ticket.messages[0].attachments).toMatchObject([{ name: 'map.txt' }]);
    expect(ticket.cc).toEqual([]);
    expect((await owner.get(`/tickets/${number}`)).html).toContain(`forwarded this to ${to} as`);
  });

  it('keeps the other ticket in mind when it is undone and sent again', async () => {
    const number = await ticketFromAna(oauth.desk);
    const to = newEmail();
    await write({ to }, { page: await owner.get(`/tickets/new?forward=${number}`) });
    const [{ id }] = (await sql('select id from held_replies')) as [{ id: string }];
    await owner.act(`/tickets/new/${id}/undo`);
    await write({ to }, { page: await owner.get(`/tickets/new?held=${id}`) });
    await due();

    expect((await owner.get(`/tickets/${number}`)).html).toContain(`forwarded this to ${to} as`);
  });

  it('returns 404 when it is deleted or unknown', async () => {
    const number = await ticketFromAna(oauth.desk);
    await client().delete(`/v1/tickets/${number}`);
    for (const unknown of [number, 999_999, '0', '-1', '1e3', '99999999999'])
      expect((await owner.get(`/tickets/new?forward=${unknown}`)).status).toBe(404);
  });
});
