import { describe, expect, it } from 'vitest';
import { newAccount } from '#test/support/account-desk.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventKindsEmittedBy } from '#test/support/emitted-events.js';

const desk = deskForFile();

const newTicket = (fields: object) => ({
  body: 'Hello',
  from: newEmail(),
  to: desk.account.mailbox.email,
  ...fields,
});
const find = (list: 'tickets' | 'customers', id: string, client = desk.client()) =>
  client.get(`/v1/${list}?external_id=${encodeURIComponent(id)}`);

const TOO_MANY_FIELDS = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`field_${n}`, n]));

describe('the fields of another system', () => {
  it('accept a value at the start, a change and null, and find the ticket', async () => {
    const { number } = await startTicket(desk, { external_id: 'مرجع/٧ #1', custom: { plan: 'pro', seats: 3 } });
    const found = await find('tickets', 'مرجع/٧ #1');
    expect(found.body.tickets).toMatchObject([{ number, external_id: 'مرجع/٧ #1', custom: { plan: 'pro', seats: 3 } }]);

    const kinds = await eventKindsEmittedBy(desk, () =>
      desk.client().patch(`/v1/tickets/${number}`, { external_id: null, custom: null }),
    );
    const { ticket } = (await desk.client().get(`/v1/tickets/${number}`)).body;
    const again = await desk.client().patch(`/v1/tickets/${number}`, { custom: {} });

    expect(kinds).toEqual([]);
    expect(ticket).toMatchObject({ external_id: null, custom: {} });
    expect(again.body.ticket.updated_at).toBe(ticket.updated_at);
    expect((await find('tickets', 'مرجع/٧ #1')).body.tickets).toEqual([]);
  });

  it('appear in the activity log and change the ETag', async () => {
    const { number } = await startTicket(desk);
    const { headers } = await desk.client().get(`/v1/tickets/${number}`);
    const guard = { 'if-match': headers.get('etag')! };
    const first = await desk.client().patch(`/v1/tickets/${number}`, { custom: { n: 1 } }, guard);
    const second = await desk.client().patch(`/v1/tickets/${number}`, { external_id: 'etag-2' }, guard);
    const { rows } = await desk.sql.query(
      `select a.kind, a.detail from activities a join tickets t on t.id = a.ticket_id
       where t.account_id = $1 and t.number = $2 and a.kind = 'ticket_fields_changed'`,
      [desk.account.id, number],
    );

    expect([first.status, second.status]).toEqual([200, 412]);
    expect(rows).toEqual([{ kind: 'ticket_fields_changed', detail: { custom: { n: 1 } } }]);
  });

  it.each([
    ['an empty id', { external_id: '' }, 'empty'],
    ['an id of 201 characters', { external_id: 'x'.repeat(201) }, 'too_long'],
    ['an id with NUL', { external_id: 'a\0b' }, 'nul_character'],
    ['a number as the id', { external_id: 7 }, 'not_a_text'],
    ['51 fields', { custom: TOO_MANY_FIELDS }, 'not_custom_fields'],
    ['fields of 9 KiB', { custom: { long: 'x'.repeat(9 * 1024) } }, 'not_custom_fields'],
    ['nested fields', { custom: { nested: { a: 1 } } }, 'not_custom_fields'],
    ['a list of fields', { custom: ['a'] }, 'not_custom_fields'],
    ['a field with NUL', { custom: { a: '\0' } }, 'nul_character'],
  ])('refuse %s on POST and PATCH', async (_, fields, code) => {
    const { number } = await startTicket(desk);
    const refused = [
      await desk.client().post('/v1/tickets', newTicket(fields)),
      await desk.client().patch(`/v1/tickets/${number}`, fields),
      await desk.client().post('/v1/customers', { email: newEmail(), ...fields }),
    ];

    for (const { status, body } of refused) expect([status, body.errors[0].code]).toEqual([422, code]);
  });

  it('refuse an id that another ticket has, also a deleted one, until that one gives it up', async () => {
    const first = await startTicket(desk, { external_id: 'taken' });
    const second = await startTicket(desk);
    await desk.client().delete(`/v1/tickets/${first.number}`);
    const post = await desk.client().post('/v1/tickets', newTicket({ external_id: 'taken' }));
    const patch = await desk.client().patch(`/v1/tickets/${second.number}`, { external_id: 'taken', title: 'Half' });
    const { ticket } = (await desk.client().get(`/v1/tickets/${second.number}`)).body;
    await desk.client().post(`/v1/tickets/${first.number}/restore`);
    await desk.client().patch(`/v1/tickets/${first.number}`, { external_id: null });
    const later = await desk.client().patch(`/v1/tickets/${second.number}`, { external_id: 'taken' });

    for (const { status, body } of [post, patch]) expect([status, body.error]).toEqual([409, 'external_id_taken']);
    expect(ticket).toEqual(second);
    expect(later.status).toBe(200);
  });

  it('give an id to one of twenty tickets that ask for it at once', async () => {
    const body = newTicket({ external_id: 'once' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.client().post('/v1/tickets', body)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await find('tickets', 'once')).body.tickets).toHaveLength(1);
  });

  it('find records of their own account only', async () => {
    const other = await newAccount(desk);
    await startTicket(desk, { from: { email: newEmail(), external_id: 'shared' }, external_id: 'shared' });
    const theirs = await startTicket(other, {
      from: { email: newEmail(), external_id: 'shared' },
      external_id: 'shared',
    });

    const [ticket] = (await find('tickets', 'shared', other.client())).body.tickets;
    const [customer] = (await find('customers', 'shared', other.client())).body.customers;
    expect([ticket.number, customer.id]).toEqual([theirs.number, theirs.customer_id]);
  });

  it('change in a batch, except for the id', async () => {
    const { number } = await startTicket(desk);
    const body = { numbers: [number], custom: { tier: 1 }, external_id: 'batch' };
    const { headers, body: answer } = await desk.client().post('/v1/tickets/batch', body);

    expect(answer.results[0].ticket).toMatchObject({ custom: { tier: 1 }, external_id: null });
    expect(headers.get('deskwire-ignored')).toBe('external_id');
  });
});

describe('the id of a customer', () => {
  it('comes from POST, PUT, PATCH or the sender of a ticket, and stays unique', async () => {
    const [one, other] = [newEmail(), newEmail()];
    const made = await desk.client().post('/v1/customers', { email: one, external_id: 'c-1' });
    const taken = await desk.client().post('/v1/customers', { email: other, external_id: 'c-1' });
    const sender = await desk.client().post('/v1/tickets', newTicket({ from: { email: other, external_id: 'c-1' } }));
    const put = await desk.client().put(`/v1/customers/${one}`, { external_id: 'c-2' });
    await startTicket(desk, { from: { email: other, external_id: 'c-1' } });
    const patch = await desk.client().patch(`/v1/customers/${one}`, { external_id: 'c-1' });

    expect([made.body.customer.external_id, put.body.customer.external_id]).toEqual(['c-1', 'c-2']);
    for (const { status, body } of [taken, sender, patch])
      expect([status, body.error]).toEqual([409, 'external_id_taken']);
    expect((await find('customers', 'c-1')).body.customers).toMatchObject([{ email: other }]);
  });
});

describe('the times and ids of a ticket', () => {
  it('show the first reply to the customer, when the ticket was closed, and who takes part', async () => {
    const { number, customer_id: customer } = await startTicket(desk, { cc: ['boss@client.example'] });
    const path = `/v1/tickets/${number}`;
    const post = async (fields: object) => (await desk.client().post(`${path}/messages`, fields)).body.message;
    const note = await post({ body: 'Look', note: true });
    const unanswered = (await desk.client().get(path)).body.ticket;
    const first = await post({ body: 'Hello' });
    await post({ body: 'And more' });
    await desk.client().put(`${path}/assignee`, { assignee: desk.account.owner.email });
    await desk.client().put(`${path}/state`, { state: 'closed' });
    const { ticket } = (await desk.client().get(`${path}?include=messages`)).body;
    const [started] = ticket.messages;

    expect([unanswered.first_reply_at, unanswered.closed_at]).toEqual([null, null]);
    expect(ticket).toMatchObject({ first_reply_at: first.created_at, assignee_id: desk.account.owner.id });
    expect(ticket.cc).toEqual(['boss@client.example']);
    expect(Date.parse(ticket.closed_at) - Date.parse(ticket.created_at)).toBe(ticket.resolution_time * 1000);
    expect([started.author_type, started.author_id, started.ticket_number]).toEqual(['customer', customer, number]);
    expect([note.author_type, note.author_id]).toEqual(['agent', desk.account.owner.id]);
    await desk.client().put(`${path}/state`, { state: 'opened' });
    expect((await desk.client().get(path)).body.ticket.closed_at).toBeNull();
  });

  it('have no first reply when the agent’s only message started the ticket', async () => {
    const ticket = await startTicket(desk, { from: desk.account.owner.email, to: newEmail() });

    expect(ticket.first_reply_at).toBeNull();
  });
});
