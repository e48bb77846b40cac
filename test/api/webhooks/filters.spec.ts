import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '#test/support/api-client.js';
import { newAccount } from '#test/support/account-desk.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, startTicket } from '#test/support/desk-records.js';
import { seedAgent, seedToken } from '#test/support/seed.js';

const desk = deskForFile();

let urls = 0;
const register = async (fields: object, client: ApiClient = desk.client()) =>
  client.post('/v1/webhooks', { event: 'ticket_started', url: `https://receiver.example/${++urls}`, ...fields });
const tokenWith = (...scopes: ('webhooks' | 'customers:read' | 'tickets:read')[]) =>
  seedToken(desk.sql, { accountId: desk.account.id, agentId: desk.account.owner.id, scopes });
const preview = async (event: string, filter: string, client: ApiClient = desk.client()) =>
  (await client.post('/v1/webhooks/preview', { event, filter })).body;

beforeAll(async () => {
  await addGroup(desk, { name: 'Second line' });
  await addMailbox(desk, { name: 'مبيعات', email: 'sales@acme.test' });
});

describe('the filter of a webhook', () => {
  it('is shown as it was written, and is removed by null and by an empty text', async () => {
    const { webhook } = (await register({ filter: ' tag:VIP -is:spam ' })).body;
    const path = `/v1/webhooks/${webhook.id}`;
    const filters = [webhook.filter];
    for (const body of [{ name: 'x' }, { filter: null }, { filter: 'tag:a' }, { filter: ' ' }])
      filters.push((await desk.client().patch(path, body)).body.webhook.filter);

    expect(filters).toEqual(['tag:VIP -is:spam', 'tag:VIP -is:spam', null, 'tag:a', null]);
    expect((await desk.client().get(path)).body.webhook.filter).toBe(null);
    expect((await register({})).body.webhook.filter).toBe(null);
  });

  it('applies to each of several kinds, which all need a ticket', async () => {
    const both = await register({ event: undefined, events: ['ticket_closed', 'note_added'], filter: 'tag:vip' });
    const wrong = await register({ event: undefined, events: ['note_added', 'customer_added'], filter: 'tag:vip' });

    expect(both.body.webhooks.map(({ filter }: { filter: string }) => filter)).toEqual(['tag:vip', 'tag:vip']);
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors).toMatchObject([{ field: 'filter', code: 'invalid_filter' }]);
    expect(wrong.body.errors[0].message).toContain('customer_added');
  });

  it.each([['mailbox:support', 'mailbox:"مبيعات"', 'group:"SECOND LINE"', 'assignee:none group:none']])(
    'may name records of the account: %s',
    async (...filters) => {
      const byId = [`mailbox:${desk.account.mailbox.id}`, `-assignee:${desk.account.owner.email.toUpperCase()}`];
      for (const filter of [...filters, ...byId])
        expect([filter, (await register({ filter })).status]).toEqual([filter, 201]);
    },
  );

  it.each([
    ['refund', 'invalid_filter', 'refund'],
    ['is:open', 'invalid_filter', 'is:open'],
    ['tag:a \u0000', 'nul_character', 'NUL'],
    ['mailbox:biling', 'invalid_filter', 'biling'],
    ['-group:"second lime"', 'invalid_filter', 'second lime'],
    ['assignee:me', 'invalid_filter', 'me'],
    ['mailbox:none', 'invalid_filter', 'none'],
    [`tag:${'x'.repeat(497)}`, 'too_long', '500'],
  ])('returns 422 and names the word: %j', async (filter, code, word) => {
    const { webhook } = (await register({})).body;
    for (const { status, body } of [
      await register({ filter }),
      await desk.client().patch(`/v1/webhooks/${webhook.id}`, { filter }),
      await desk.client().post('/v1/webhooks/preview', { event: 'ticket_started', filter }),
    ]) {
      expect([status, body.errors[0].field]).toEqual([422, 'filter']);
      expect(body.errors[0]).toMatchObject({ code, message: expect.stringContaining(word) as string });
    }
  });

  it('names no record of another account', async () => {
    const other = await newAccount(desk);
    await addGroup(other, { name: 'Elsewhere' });

    expect((await register({ filter: 'group:Elsewhere' })).status).toBe(422);
    expect((await register({ filter: 'group:Elsewhere' }, other.client())).status).toBe(201);
  });

  it('is changed only by those who may change the URL', async () => {
    const agent = await seedAgent(desk.sql, desk.account.id, { role: 'agent' });
    const { webhook } = (await register({})).body;
    await desk.sql.query('update webhooks set agent_id = $2 where id = $1', [webhook.id, agent.id]);
    const change = (token: string, body: object) => desk.client(token).patch(`/v1/webhooks/${webhook.id}`, body);

    expect((await change(agent.token, { filter: 'tag:vip' })).body.error).toBe('role_not_allowed');
    expect((await change(agent.token, { name: 'Mine' })).status).toBe(200);
    await desk.sql.query('update webhooks set agent_id = $2 where id = $1', [webhook.id, desk.account.owner.id]);
    const narrow = await tokenWith('webhooks', 'customers:read');
    expect((await change(narrow, { filter: 'tag:vip' })).status).toBe(403);
    expect((await desk.client(narrow).post('/v1/webhooks/preview', { event: 'note_added', filter: '' })).status).toBe(
      403,
    );
  });

  it('makes no row for an event that it does not match', async () => {
    const account = await newAccount(desk);
    const waiting = async () =>
      (
        await desk.sql.query<{ ids: string[] }>('select webhook_ids as ids from outbox where account_id = $1', [
          account.account.id,
        ])
      ).rows.map(({ ids }) => ids);
    const { id } = (await register({ filter: 'tag:vip' }, account.client())).body.webhook;

    await startTicket(account, { tags: ['plain'] });
    expect(await waiting()).toEqual([]);
    await startTicket(account, { tags: ['Vip'] });
    expect(await waiting()).toEqual([[id]]);
  });
});

describe('the preview of a filter', () => {
  it('counts the last events as their payloads show the ticket, without test events', async () => {
    const account = await newAccount(desk);
    const client = account.client();
    const { webhook } = (await register({}, client)).body;
    for (const tags of [['vip'], ['VIP', 'b'], ['b'], []]) await startTicket(account, { tags });
    await client.post(`/v1/webhooks/${webhook.id}/test`);
    await client.put('/v1/tickets/1/tags', { tags: ['b'] });

    expect(await preview('ticket_started', 'tag:vip', client)).toEqual({ matched: 2, of: 4 });
    expect(await preview('ticket_started', '-tag:vip is:unread mailbox:Support', client)).toEqual({
      matched: 2,
      of: 4,
    });
    expect(await preview('ticket_started', ' ', client)).toEqual({ matched: 4, of: 4 });
    expect(await preview('ticket_tagged', 'tag:vip', client)).toEqual({ matched: 0, of: 1 });
    expect(await preview('ticket_closed', 'tag:vip', client)).toEqual({ matched: 0, of: 0 });
  });

  it('counts events of messages by their ticket as it is now', async () => {
    const account = await newAccount(desk);
    const client = account.client();
    const group = await addGroup(account, { name: 'Ops' });
    await startTicket(account, { tags: ['vip'], assigned_group: group.name, priority: 'high' });
    await startTicket(account);
    for (const number of [1, 1, 2]) await client.post(`/v1/tickets/${number}/messages`, { body: 'x', note: true });

    expect(await preview('note_added', 'tag:vip group:ops priority:high assignee:none', client)).toEqual({
      matched: 2,
      of: 3,
    });
    await client.delete('/v1/tickets/1/tags/vip');
    expect(await preview('note_added', 'tag:vip', client)).toEqual({ matched: 0, of: 3 });
    expect(await preview('note_added', `mailbox:${account.account.mailbox.id}`, client)).toEqual({ matched: 3, of: 3 });
  });

  it('looks at the last 1,000 events', async () => {
    const account = await newAccount(desk);
    const ticket = await startTicket(account, { tags: ['old'] });
    await desk.sql.query(
      `with one as (select e.*, a.ticket_id, a.subject from events e join activities a on a.account_id = e.account_id and a.id = e.id
         where e.account_id = $1 and e.kind = 'ticket_started'),
       newer as materialized (select new_uuid_at(now() + n * interval '1 second') as id from generate_series(1, 1000) n),
       event as (insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
         select newer.id, account_id, sequence, kind, replace(payload, '"old"', '"new"'), transaction_id, created_at from one, newer)
       insert into activities (id, account_id, ticket_id, kind, subject, created_at)
       select newer.id, account_id, ticket_id, kind, subject, created_at from one, newer`,
      [account.account.id],
    );

    expect(ticket.tags).toEqual(['old']);
    expect(await preview('ticket_started', 'tag:new', account.client())).toEqual({ matched: 1000, of: 1000 });
    expect(await preview('ticket_started', 'tag:old', account.client())).toEqual({ matched: 0, of: 1000 });
  });
});
