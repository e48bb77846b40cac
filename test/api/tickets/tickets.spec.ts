import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventsEmittedBy } from '#test/support/emitted-events.js';
import { formOf, postFiles } from '#test/support/upload.js';

const desk = deskForFile();

const owner = () => desk.account.owner.email;
const post = (fields: Record<string, unknown>) =>
  desk.client().post('/v1/tickets', { body: 'Hello', from: newEmail(), to: desk.account.mailbox.email, ...fields });

/** The fields of the specification, in its order. */
const FIELDS =
  'assigned_group assignee created_at updated_at number priority resolution_time title href closed_by links'.split(' ');

describe('a new ticket', () => {
  it('has the fields of the specification first, and a Location', async () => {
    const { status, body, headers } = await post({ subject: 'Help' });

    expect([status, headers.get('location')]).toEqual([201, body.ticket.href]);
    expect(Object.keys(body.ticket).slice(0, FIELDS.length)).toEqual(FIELDS);
    expect(body.ticket).toMatchObject({ title: 'Help', state: 'unread', mailbox: 'Support', summary: 'Hello' });
  });

  it('can be sent as a form', async () => {
    const form = `body=Hi&from[email]=bo%40client.test&from[first_name]=Bo&to=${desk.account.mailbox.email}&tags[]=a&tags[]=b&subject=`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status, body } = await desk.client().post('/v1/tickets', form, type);

    expect(status).toBe(201);
    expect(body.ticket).toMatchObject({ customer_name: 'Bo', tags: ['a', 'b'], title: null });
  });

  it('belongs to the mailbox that the customer wrote to', async () => {
    const mailbox = await addMailbox(desk);

    const ticket = await startTicket(desk, { from: 'Ana@Client.test', to: mailbox.email.toUpperCase() });

    expect(ticket).toMatchObject({ mailbox: mailbox.name, state: 'unread', message_count: 1 });
    expect(ticket.links.customer.href).toContain('/v1/customers/ana@client.test');
    expect(ticket.links.assignee).toBeUndefined();
  });

  it('belongs to the recipient when an agent writes it', async () => {
    const customer = newEmail();

    const ticket = await startTicket(desk, { from: owner(), to: { email: customer, first_name: 'Bo' } });
    const { body } = await desk.client().get(`/v1/tickets/${ticket.number}/messages`);

    expect(ticket.links.customer.href).toContain(customer);
    expect(ticket.customer_name).toBe('Bo');
    expect(body.messages[0].links.author.href).toContain(`/v1/agents/${owner()}`);
  });

  it('accepts every field at once', async () => {
    const [mailbox, agent, group] = [await addMailbox(desk), await inviteAgent(desk), await addGroup(desk)];

    const ticket = await startTicket(desk, {
      subject: 'Invoice 7',
      mailbox: mailbox.name,
      assignee: agent.email,
      assigned_group: group.name,
      state: 'closed',
      priority: 'urgent',
      tags: ['vip', 'VIP', 'billing'],
      sent_at: '2026-01-02T03:04:05Z',
      send_copy_to_customer: true,
    });
    const { body } = await desk.client().get(`/v1/tickets/${ticket.number}/messages`);

    expect(ticket).toMatchObject({
      title: 'Invoice 7',
      mailbox: mailbox.name,
      assignee: agent.email,
      assigned_group: group.name,
      state: 'closed',
      closed_by: owner(),
      resolution_time: 0,
      priority: 'urgent',
      tags: ['vip', 'billing'],
    });
    expect(body.messages[0].created_at).toBe('2026-01-02T03:04:05.000Z');
  });

  it('updates the given fields of the customer, and keeps the rest', async () => {
    const email = newEmail();
    await startTicket(desk, { from: { email, first_name: 'Ana', company_name: 'Acme', custom: { plan: 'pro' } } });
    await startTicket(desk, { from: { email, last_name: 'Ruiz', company_name: null } });

    const { body } = await desk.client().get(`/v1/customers/${email}`);

    expect(body.customer).toMatchObject({ name: 'Ana Ruiz', company_name: null, custom: { plan: 'pro' } });
  });

  it.each([
    [{ note: true }, 'note', 'note_by_customer'],
    [{ sent_at: '2999-01-01T00:00:00Z' }, 'sent_at', 'in_the_future'],
    [{ sent_at: 'yesterday' }, 'sent_at', 'not_a_time'],
    [{ body: 'a\0b' }, 'body', 'nul_character'],
    [{ body: 'a\ud800b' }, 'body', 'not_unicode'],
    [{ from: { email: newEmail(), custom: { a: { b: 1 } } } }, 'from.custom', 'not_custom_fields'],
    [{ from: 7 }, 'from', 'not_a_person'],
    [{ tags: [1] }, 'tags', 'not_a_text'],
  ])('returns 422 with the field for %j', async (fields, field, code) => {
    const { status, body } = await post(fields);

    expect(status).toBe(422);
    expect(body.errors).toContainEqual(expect.objectContaining({ field, code }));
  });

  it.each([
    [
      { mailbox: 'Nowhere', assignee: 'nobody@acme.test', assigned_group: 'Nobodies' },
      ['mailbox unknown_mailbox', 'assignee unknown_assignee', 'assigned_group unknown_assigned_group'],
    ],
    [
      { body: undefined, to: undefined, from: 'nobody', priority: 'huge' },
      ['body required', 'from.email not_an_email', 'to required', 'priority not_a_choice'],
    ],
  ])('reports every fault at once: %j', async (fields, faults) => {
    const { body, headers } = await post(fields);
    const told = body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);

    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(told.toSorted()).toEqual(faults.toSorted());
  });
});

describe('GET /v1/tickets/:number', () => {
  it.each(['999999', '0', '-1', '1e3', 'abc', '99999999999', '%00'])('returns 404 for ticket %s', async (number) => {
    const { status, body } = await desk.client().get(`/v1/tickets/${number}`);

    expect([status, body.error]).toEqual([404, 'ticket_not_found']);
  });
});

describe('a deleted ticket', () => {
  it('stays readable, refuses changes, and returns unchanged when it is restored', async () => {
    const ticket = await startTicket(desk);
    const path = `/v1/tickets/${ticket.number}`;

    const happened = await eventsEmittedBy(desk, () => desk.client().delete(path));
    const shown = await desk.client().get(path);
    const message = (await desk.client().get(`${path}/messages`)).body.messages[0];
    const { status: read } = await desk.client().get(`/v1/messages/${message.id}`);
    const changes = await Promise.all([
      desk.client().put(`${path}/state`, { state: 'closed' }),
      desk.client().post(`${path}/messages`, { body: 'Hello?' }),
      postFiles(desk, message.id, formOf([{ name: 'a.txt', bytes: 'a' }])),
    ]);
    const folder = await desk.client().get('/v1/tickets?folder=deleted');
    const again = await desk.client().delete(path);
    const restored = await desk.client().post(`${path}/restore`);

    expect(happened).toEqual([{ kind: 'ticket_deleted', payload: ticket }]);
    const deleted = { deleted_at: expect.any(String) };
    expect(shown.body).toEqual({ ticket: { ...ticket, updated_at: expect.any(String) }, meta: deleted });
    expect([read, again.status, restored.status]).toEqual([200, 404, 200]);
    expect(changes.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await desk.client().get(path)).body.meta).toBeUndefined();
    expect(folder.body.tickets.map(({ number }: { number: number }) => number)).toContain(ticket.number);
    expect(restored.body.ticket).toEqual({ ...ticket, updated_at: restored.body.ticket.updated_at });
    expect((await desk.client().post(`${path}/restore`)).status).toBe(404);
  });
});

const ticketPath = (number: number | undefined): string => `/v1/tickets/${number}`;

describe('the folder needs_reply', () => {
  it('lists open tickets whose customers wait, as is:waiting does', async () => {
    const mailbox = (await addMailbox(desk)).name;
    const numbers: number[] = [];
    for (let count = 0; count < 7; count++) numbers.push((await startTicket(desk, { mailbox })).number);
    const [waits, answered, again, closed, pending, snoozed, gone] = numbers;
    await startTicket(desk, { mailbox, from: owner(), to: newEmail() });
    for (const number of [answered, again])
      await desk.client().post(`${ticketPath(number)}/messages`, { body: 'Done.' });
    await desk.client().post(`${ticketPath(again)}/messages`, { body: 'Still broken.', author: newEmail() });
    await desk.client().put(`${ticketPath(closed)}/state`, { state: 'closed' });
    await desk.client().put(`${ticketPath(pending)}/state`, { state: 'pending' });
    await desk.client().put(`${ticketPath(snoozed)}/snoozed_until`, { snoozed_until: '2199-01-01T00:00:00Z' });
    await desk.client().delete(ticketPath(gone));

    for (const filter of ['folder=needs_reply', 'q=is:waiting', 'q=is:unanswered'])
      for (const [sort, found] of [
        ['waiting', [waits, again]],
        ['-number', [again, waits]],
        ['-updated_at', [again, waits]],
      ] as const) {
        const { body } = await desk.client().get(`/v1/tickets?mailbox=${mailbox}&sort=${sort}&${filter}`);
        expect(body.tickets.map(({ number }: { number: number }) => number)).toEqual(found);
      }
    expect((await desk.client().get(`/v1/tickets/count?mailbox=${mailbox}`)).body.needs_reply).toBe(2);
  });
});

describe('GET /v1/tickets/count', () => {
  it('counts each folder, for all mailboxes or one', async () => {
    const mailbox = await addMailbox(desk);
    await startTicket(desk, { mailbox: mailbox.name, assignee: owner() });
    await startTicket(desk, { mailbox: mailbox.name });
    await startTicket(desk, { mailbox: mailbox.name, state: 'spam' });

    const one = await desk.client().get(`/v1/tickets/count?mailbox=${mailbox.id}`);
    const all = await desk.client().get('/v1/tickets/count');

    expect(one.body).toEqual({
      needs_reply: 2,
      unassigned: 1,
      mine: 1,
      mentioned: 0,
      open: 2,
      closed: 0,
      spam: 1,
      deleted: 0,
    });
    expect(all.body.open).toBeGreaterThan(2);
  });
});
