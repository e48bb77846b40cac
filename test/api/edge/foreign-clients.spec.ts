import { afterAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { addGroup, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';

const desk = await startDesk();
afterAll(() => desk.stop());

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

/** Requests and fields of clients that were written for similar APIs. */
describe('the name of a customer', () => {
  it.each([
    [{ name: 'Ana Ruiz' }, ['Ana', 'Ruiz']],
    [{ name: 'Ana María  Ruiz' }, ['Ana María', 'Ruiz']],
    [{ name: '  Cher ' }, ['Cher', '']],
    [{ name: '山田 太郎' }, ['山田', '太郎']],
    [{ name: '' }, ['', '']],
    [{ name: 'A B', first_name: 'Ana', last_name: 'Ruiz' }, ['Ana', 'Ruiz']],
    [{ name: 'A B', last_name: 'Ruiz' }, ['A', 'Ruiz']],
  ])('comes from first_name and last_name, or from name split at the last space: %j', async (fields, expected) => {
    const { customer } = (await desk.client().post('/v1/customers', { email: newEmail(), ...fields })).body;
    expect([customer.first_name, customer.last_name]).toEqual(expected);
  });

  it('works in from and in a change, and is the email in a ticket by default', async () => {
    const email = newEmail();
    const ticket = await startTicket(desk, { from: { email, name: 'Ana Ruiz' } });
    expect([ticket.customer_name, (await startTicket(desk, { from: 'b@c.test' })).customer_name]).toEqual([
      'Ana Ruiz',
      'b@c.test',
    ]);

    const { body } = await desk.client().patch(`/v1/customers/${email}`, { name: 'Eva Lund' });
    expect(body.customer).toMatchObject({ name: 'Eva Lund', first_name: 'Eva', last_name: 'Lund' });
  });
});

describe('an alternative field name', () => {
  it('names the title of a ticket: `subject` and `title`, in each call', async () => {
    for (const name of ['title', 'subject']) {
      const { number, title } = await startTicket(desk, { [name]: 'First' });
      const path = `/v1/tickets/${number}`;
      const titles = [
        title,
        (await desk.client().patch(path, { [name]: 'Second' })).body.ticket.title,
        (await desk.client().put(`${path}/title`, { [name]: 'Third' })).body.title,
        (await desk.client().post('/v1/tickets/batch', { numbers: [number], [name]: 'Fourth' })).body.results[0].ticket
          .title,
        (await desk.client().patch(path, { [name]: null })).body.ticket.title,
      ];
      expect(titles).toEqual(['First', 'Second', 'Third', 'Fourth', null]);
    }
    expect((await startTicket(desk, { subject: 'Same', title: 'Same' })).title).toBe('Same');
  });

  it('causes 422 if `subject` and `title` differ, and nothing is changed', async () => {
    const { number } = await startTicket(desk, { subject: 'Kept' });
    const path = `/v1/tickets/${number}`;
    const parties = { body: 'Hello', from: newEmail(), to: desk.account.mailbox.email };
    for (const both of [
      { subject: 'A', title: 'B' },
      { subject: null, title: 'B' },
      { subject: 'A', title: null },
    ])
      for (const refused of [
        await desk.client().post('/v1/tickets', { ...parties, ...both }),
        await desk.client().patch(path, { ...both, state: 'closed' }),
        await desk.client().put(`${path}/title`, both),
        await desk.client().post('/v1/tickets/batch', { numbers: [number], ...both }),
      ])
        expect([refused.status, refused.body.errors[0]]).toEqual([
          422,
          { field: 'subject', code: 'one_of_two', message: 'subject and title differ; send one of them' },
        ]);
    expect((await desk.client().put(`${path}/title`, {})).body.errors[0]).toMatchObject({
      field: 'title',
      code: 'required',
    });
    expect((await desk.client().patch(path, { subject: 7 })).body.errors[0]).toMatchObject({
      field: 'subject',
      code: 'not_a_text',
    });
    expect((await desk.client().get(path)).body.ticket).toMatchObject({ title: 'Kept', state: 'unread' });
  });

  it('assigns to a group: `group`', async () => {
    const group = await addGroup(desk);
    const { number } = await startTicket(desk);
    const { status, body } = await desk.client().put(`/v1/tickets/${number}/assigned_group`, { group: group.name });
    expect([status, body.group.name]).toEqual([200, group.name]);

    const none = await desk.client().put(`/v1/tickets/${number}/assigned_group`, { group: null });
    expect(none.body).toEqual({ group: null });
    const { body: neither } = await desk.client().put(`/v1/tickets/${number}/assigned_group`, {});
    expect(neither.errors).toMatchObject([{ field: 'assigned_group', code: 'required' }]);
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
  });

  it('shows a thousand whole characters of the last message of a ticket, but no note', async () => {
    const { number, mailbox_id: mailbox } = await startTicket(desk, { body: '<p>Where is it?</p>' });
    const read = async () => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket.last_message_plain_text;
    const post = (fields: object) => desk.client().post(`/v1/tickets/${number}/messages`, fields);

    expect(await read()).toBe('Where is it?');
    await post({ body: '👍'.repeat(2000) });
    await post({ body: 'They always ask.', note: true });
    expect(await read()).toBe('👍'.repeat(1000));
    expect(mailbox).toBe(desk.account.mailbox.id);
  });
});

describe('a request body or query', () => {
  it.each([
    [undefined, 415],
    ['text/plain;charset=UTF-8', 415],
    ['application/octet-stream', 415],
    ['application/x-www-form-urlencoded', 422],
  ])('counts as JSON when it looks like it, with the content type %s', async (type, other) => {
    expect((await postRaw('/v1/tickets', ` ${ticketAsJson()}`, type)).status).toBe(201);
    expect((await postRaw('/v1/tickets', '{"body":', type)).status).toBe(400);
    expect((await postRaw('/v1/tickets', 'body=Hello', type)).status).toBe(other);
  });

  it('accepts repeated slashes in the path', async () => {
    expect((await postRaw('//v1///tickets/', ticketAsJson(), 'application/json')).status).toBe(201);
    const page = await desk.client().get('/v1/tickets?per_page=1&q=a//b');
    expect(page.status).toBe(200);
  });

  it('accepts an HTTP date as a time', async () => {
    const { number } = await startTicket(desk, { sent_at: 'Tue, 03 Mar 2026 10:11:12 +0100' });
    const { body } = await desk.client().get(`/v1/tickets/${number}/messages`);
    expect(body.messages[0].created_at).toBe('2026-03-03T09:11:12.000Z');
  });

  it.each([
    ['GET', '/v1/customers?updated_since=2026-02-30', 'updated_since'],
    ['POST', '/v1/tickets', 'sent_at'],
    ['PATCH', '/v1/tickets/1', 'snoozed_until'],
  ])('refuses a date that does not exist, and names the field: %s %s', async (method, path, field) => {
    const fields = { ...JSON.parse(ticketAsJson()), [field]: '2026-02-30' };
    const { status, body } = await desk.client().send(method, path, method === 'GET' ? undefined : fields);
    expect([status, body.errors[0].field]).toEqual([422, field]);
  });

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

it('names each fault by its field and a code of words', async () => {
  const { body } = await desk.client().post('/v1/tickets', { body: 7, from: 'nobody', priority: 'top' });
  expect(body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)).toEqual([
    'body not_a_text',
    'from.email not_an_email',
    'to required',
    'priority not_a_choice',
  ]);
});
