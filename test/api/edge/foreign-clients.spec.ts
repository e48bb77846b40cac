import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addGroup, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const nameOf = async (fields: Record<string, unknown>) => {
  const { body } = await desk.client().post('/v1/customers', { email: newEmail(), ...fields });
  return [body.customer.first_name, body.customer.last_name];
};

const hrefsOf = ({ links }: ApiResponse['body']) => ({
  recipient: links.recipient?.href,
  attachments: links.attachments.href,
});

const ticketAsJson = () => JSON.stringify({ body: 'Hello', from: newEmail(), to: desk.account.mailbox.email });

const postRaw = (path: string, body: string, type?: string) =>
  fetch(`${desk.base}${path}`, {
    method: 'POST',
    // fetch sends no Content-Type for a Blob without a type.
    body: new Blob([body]),
    headers: {
      authorization: `Bearer ${desk.account.owner.token}`,
      ...(type !== undefined && { 'content-type': type }),
    },
  });

const ignoredBy = ({ headers }: ApiResponse) => headers.get('deskwire-ignored');

/** Requests and fields of clients that were written for similar APIs. */
describe('the name of a customer', () => {
  it.each([
    ['Ana Ruiz', ['Ana', 'Ruiz']],
    ['Ana María  Ruiz', ['Ana María', 'Ruiz']],
    ['  Cher ', ['Cher', '']],
    ['山田 太郎', ['山田', '太郎']],
    ['', ['', '']],
  ])('splits at the last space: %j', async (name, expected) => {
    expect(await nameOf({ name })).toEqual(expected);
  });

  it('comes from first_name and last_name before name', async () => {
    expect(await nameOf({ name: 'A B', first_name: 'Ana', last_name: 'Ruiz' })).toEqual(['Ana', 'Ruiz']);
    expect(await nameOf({ name: 'A B', last_name: 'Ruiz' })).toEqual(['A', 'Ruiz']);
  });

  it('works in from, in to and in a change', async () => {
    const email = newEmail();
    const ticket = await startTicket(desk, { from: { email, name: 'Ana Ruiz' } });
    expect(ticket.customer_name).toBe('Ana Ruiz');

    const { body } = await desk.client().patch(`/v1/customers/${email}`, { name: 'Eva Lund' });
    expect(body.customer).toMatchObject({ name: 'Eva Lund', first_name: 'Eva', last_name: 'Lund' });
  });

  it('defaults to the email in a ticket', async () => {
    const email = newEmail();
    expect((await startTicket(desk, { from: email })).customer_name).toBe(email);
  });
});

describe('an alternative field name', () => {
  it('assigns to a group: `group`', async () => {
    const group = await addGroup(desk);
    const { number } = await startTicket(desk);
    const { status, body } = await desk.client().put(`/v1/tickets/${number}/assigned_group`, { group: group.name });
    expect([status, body.group.name]).toEqual([200, group.name]);

    const none = await desk.client().put(`/v1/tickets/${number}/assigned_group`, { group: null });
    expect(none.body).toEqual({ group: null });
  });

  it('causes an error for assigned_group when both names are missing', async () => {
    const { number } = await startTicket(desk);
    const { status, body } = await desk.client().put(`/v1/tickets/${number}/assigned_group`, {});
    expect([status, body.errors[0].field, body.errors[0].code]).toEqual([422, 'assigned_group', 'required']);
  });

  it('sets the members of a group: `agents`', async () => {
    const agent = await inviteAgent(desk);
    const group = await addGroup(desk, { agents: [agent.email] });
    const { body } = await desk.client().get(`/v1/agents?group=${group.id}`);
    expect(body.agents.map(({ email }: { email: string }) => email)).toEqual([agent.email]);
    expect(group.members).toEqual([agent.email]);
  });

  it('replaces tags by a bare list', async () => {
    const { number } = await startTicket(desk, { tags: ['old'] });
    const { body } = await desk.client().put(`/v1/tickets/${number}/tags`, ['vip', 'billing']);
    expect(body).toEqual({ tags: ['vip', 'billing'] });
  });
});

describe('a record', () => {
  it('links a message to its page, its files and its recipient', async () => {
    const customer = newEmail();
    const { number } = await startTicket(desk, { from: customer, assignee: desk.account.owner.email });
    const page = await desk.client().get(`/v1/tickets/${number}/messages`);
    const [first] = page.body.messages;
    const reply = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hi' });
    const note = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hm', note: true });

    const base = first.href.split('/v1/')[0];
    const filesOf = ({ id }: { id: string }) => `${base}/v1/attachments?message=${id}`;
    expect(hrefsOf(first)).toEqual({
      recipient: `${base}/v1/agents/${desk.account.owner.email}`,
      attachments: filesOf(first),
    });
    expect(hrefsOf(reply.body.message).recipient).toBe(`${base}/v1/customers/${customer}`);
    expect(hrefsOf(note.body.message).recipient).toBeUndefined();
    expect(first.app_ticket_url).toBe(`${base}/tickets/${number}`);
    // The stored record equals the one that the POST returned.
    expect((await desk.client().get(`/v1/messages/${reply.body.message.id}`)).body).toEqual(reply.body);
  });

  it('shows the last message of a ticket, but no note', async () => {
    const { number, mailbox_id: mailbox } = await startTicket(desk, { body: '<p>Where is it?</p>' });
    const read = async () => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket.last_message_plain_text;
    const post = (fields: object) => desk.client().post(`/v1/tickets/${number}/messages`, fields);

    expect(await read()).toBe('Where is it?');
    await post({ body: 'On its way.' });
    await post({ body: 'They always ask.', note: true });
    expect(await read()).toBe('On its way.');
    expect(mailbox).toBe(desk.account.mailbox.id);
  });

  it('cuts the last message to a thousand whole characters', async () => {
    const ticket = await startTicket(desk, { body: '👍'.repeat(2000) });
    const read = await desk.client().get(`/v1/tickets/${ticket.number}`);
    expect(ticket.last_message_plain_text).toBe('👍'.repeat(1000));
    expect(read.body.ticket).toEqual(ticket);
  });
});

describe('a request body or query', () => {
  it('counts as JSON without a content type', async () => {
    expect((await postRaw('/v1/tickets', ` ${ticketAsJson()}`)).status).toBe(201);
    expect((await postRaw('/v1/tickets', 'body=Hello')).status).toBe(415);
    expect((await postRaw('/v1/tickets', '{"body":')).status).toBe(400);
  });

  it('counts as JSON with the content type of a form', async () => {
    expect((await postRaw('/v1/tickets', ticketAsJson(), 'application/x-www-form-urlencoded')).status).toBe(201);
  });

  it.each(['text/plain;charset=UTF-8', 'application/octet-stream'])(
    'counts as JSON when the client sends a string as %s',
    async (type) => {
      expect((await postRaw('/v1/tickets', ticketAsJson(), type)).status).toBe(201);
      expect((await postRaw('/v1/tickets', 'body=Hello', type)).status).toBe(415);
    },
  );

  it('accepts repeated slashes in the path', async () => {
    expect((await postRaw('//v1///tickets/', ticketAsJson(), 'application/json')).status).toBe(201);
    const page = await desk.client().get('/v1/tickets?per_page=1&q=a//b');
    expect(page.status).toBe(200);
  });

  it.each([
    ['Tue, 03 Mar 2026 10:11:12 +0100', '2026-03-03T09:11:12.000Z'],
    ['3 Mar 2026 10:11 GMT', '2026-03-03T10:11:00.000Z'],
  ])('accepts %s as a time', async (sent_at, expected) => {
    const { number } = await startTicket(desk, { sent_at });
    const { body } = await desk.client().get(`/v1/tickets/${number}/messages`);
    expect(body.messages[0].created_at).toBe(expected);
  });

  it.each(['2026-02-30', '2026-04-31T10:00:00Z', 'Mon, 30 Feb 2026 10:11:12 GMT'])(
    'refuses %s, which is not a date, and names the field',
    async (time) => {
      const asked = await desk.client().get(`/v1/customers?updated_since=${encodeURIComponent(time)}`);
      const sent = { body: 'Hello', from: newEmail(), to: desk.account.mailbox.email, sent_at: time };
      const written = await desk.client().post('/v1/tickets', sent);
      const patched = await desk.client().patch('/v1/tickets/1', { snoozed_until: time });

      const told = [asked, written, patched].map(({ status, body }) => [status, body.errors[0].field]);
      expect(told).toEqual([
        [422, 'updated_since'],
        [422, 'sent_at'],
        [422, 'snoozed_until'],
      ]);
    },
  );

  it('accepts local parts longer than RFC 5321 allows, because mail servers send them', async () => {
    const email = `reply+${'A1'.repeat(40)}@${newEmail('x').split('@')[1]}`;
    const { number } = await startTicket(desk, { from: email });
    const { body } = await desk.client().get(`/v1/customers/${encodeURIComponent(email)}`);
    expect([number > 0, body.customer.email]).toEqual([true, email.toLowerCase()]);

    const { status } = await desk.client().post('/v1/customers', { email: `${'x'.repeat(250)}@y.test` });
    expect(status).toBe(422);
  });

  it('accepts an HTTP date in a query', async () => {
    const since = new URLSearchParams({ created_since: 'Tue, 03 Mar 2099 10:11:12 +0100' });
    for (const query of [since.toString(), decodeURIComponent(since.toString())])
      expect((await desk.client().get(`/v1/tickets?${query}`)).body.tickets).toEqual([]);
  });
});

describe('an unknown field', () => {
  it('appears in the Deskwire-Ignored header, from the query and the body, at every level', async () => {
    const wanted = {
      body: 'Hello',
      from: { email: newEmail(), nick: 'x' },
      to: desk.account.mailbox.email,
      bcc: 'a@b.test',
    };
    expect(ignoredBy(await desk.client().post('/v1/tickets?dry_run=1', wanted))).toBe('dry_run, from.nick, bcc');
    expect(ignoredBy(await desk.client().get('/v1/tickets?page=1&limit=5'))).toBe('limit');
    expect(ignoredBy(await desk.client().get('/v1/tickets?page=1'))).toBeNull();
  });

  it('includes known fields that cannot be changed', async () => {
    const email = newEmail();
    await desk.client().post('/v1/customers', { email });
    const answer = await desk.client().patch(`/v1/customers/${email}`, { id: '1', title: 'CEO' });
    expect([answer.status, ignoredBy(answer)]).toEqual([200, 'id']);
  });

  it('causes 422 with handling=strict, and nothing is changed', async () => {
    const wanted = { email: newEmail(), nick: 'x', colour: 'red' };
    const refused = await desk.client().post('/v1/customers', wanted, { prefer: 'respond-async, handling=strict' });

    expect(refused.status).toBe(422);
    expect(refused.headers.get('preference-applied')).toBe('handling=strict');
    expect(refused.body.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['nick', 'unknown_field'],
      ['colour', 'unknown_field'],
    ]);
    expect((await desk.client().get(`/v1/customers/${wanted.email}`)).status).toBe(404);
  });

  it('appears in a header of limited size', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`é\r\n👍${index}${'x'.repeat(500)}`, 1]),
    );
    const answer = await desk.client().post('/v1/customers', { email: newEmail(), ...many });
    expect(answer.status).toBe(201);
    expect(ignoredBy(answer)).toMatch(/^[\x21-\x7e]+(, [\x21-\x7e]+){20}$/);
    expect(ignoredBy(answer)!.length).toBeLessThan(4000);
  });
});

describe('an error code', () => {
  it('reads as words', async () => {
    const { body } = await desk.client().post('/v1/tickets', { body: 7, from: 'nobody', priority: 'top' });
    expect(body.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['body', 'not_a_text'],
      ['from.email', 'not_an_email'],
      ['to', 'required'],
      ['priority', 'not_a_choice'],
    ]);
  });
});
