import { afterAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { addMailbox, startTicket } from '#test/support/desk-records.js';
import { NEW_RECORDS, type RecordKind } from '#test/support/new-records.js';
import { mailText, postMail } from '#test/support/mails.js';
import { operationsOf, requestPathOf } from '#test/support/openapi-operations.js';
import { seedAccount, seedToken } from '#test/support/seed.js';

const desk = await startDesk({ settings: { SMTP_URL: 'smtp://127.0.0.1:1' } });
afterAll(() => desk.stop());

const conditional = operationsOf((await desk.anonymous().get('/openapi.json')).body).filter(
  ({ takesIfMatch }) => takesIfMatch,
);

interface Case {
  /** Makes the records and returns what names them in the path. */
  readonly records: () => Promise<readonly string[]>;
  /** Where the record is read whose ETag counts, with the first word. */
  readonly read: string;
  readonly body?: object;
}

const of = (kind: RecordKind, read: string, body?: object, ...others: string[]): Case => ({
  records: async () => [(await NEW_RECORDS[kind](desk)).split(' ').at(-1)!, ...others],
  read,
  ...(body && { body }),
});

const ticket = (body?: object, ...others: string[]) => of('ticket', '/v1/tickets/', body, ...others);
const mailbox = (part = '', body?: object): Case => ({
  records: () => newMailbox(),
  read: `/v1/mailboxes/*${part}`,
  ...(body && { body }),
});
const webhook = (body?: object) => of('webhook', '/v1/webhooks/', body);
const IMAP = { host: 'imap.example.com', username: 'desk', password: 'secret' };

const { number: staying } = await startTicket(desk);

const CASES: Readonly<Record<string, Case>> = {
  'PATCH /v1/tickets/{number}': ticket({ title: 'New' }),
  'DELETE /v1/tickets/{number}': ticket(),
  'POST /v1/tickets/{number}/restore': of('deleted ticket', '/v1/tickets/'),
  'POST /v1/tickets/{number}/merge': ticket({ into: staying }),
  'PUT /v1/tickets/{number}/state': ticket({ state: 'spam' }),
  'PUT /v1/tickets/{number}/assignee': ticket({ assignee: desk.account.owner.email }),
  'PUT /v1/tickets/{number}/assigned_group': ticket({ assigned_group: null }),
  'PUT /v1/tickets/{number}/priority': ticket({ priority: 'high' }),
  'PUT /v1/tickets/{number}/tags': ticket({ tags: ['a'] }),
  'POST /v1/tickets/{number}/tags': ticket({ tags: ['b'] }),
  'DELETE /v1/tickets/{number}/tags/{tag}': ticket(undefined, 'old'),
  'PUT /v1/tickets/{number}/mailbox': ticket({ mailbox: desk.account.mailbox.email }),
  'POST /v1/tickets/{number}/change_mailbox/{mailbox_id}': ticket(undefined, desk.account.mailbox.id),
  'PUT /v1/tickets/{number}/title': ticket({ title: 'New' }),
  'PUT /v1/tickets/{number}/snoozed_until': ticket({ snoozed_until: '2099-01-01T00:00:00Z' }),
  'POST /v1/tickets/{number}/messages': ticket({ body: 'Answer' }),
  'POST /v1/messages/{id}/send_again': { records: bouncedMessage, read: '/v1/messages/' },
  'PUT /v1/customers/{email}': of('customer', '/v1/customers/', { about: 'VIP' }),
  'PATCH /v1/customers/{email}': of('customer', '/v1/customers/', { name: 'A B' }),
  'DELETE /v1/customers/{email}': of('customer', '/v1/customers/'),
  'PUT /v1/agents/{email}': of('agent', '/v1/agents/', { first_name: 'New' }),
  'POST /v1/agents/{email}/archive': of('agent', '/v1/agents/'),
  'POST /v1/agents/{email}/restore': of('archived agent', '/v1/agents/'),
  'PUT /v1/groups/{id}': of('group', '/v1/groups/', { members: [] }),
  'DELETE /v1/groups/{id}': of('group', '/v1/groups/'),
  'PATCH /v1/saved_replies/{id}': of('saved reply', '/v1/saved_replies/', { body: 'New' }),
  'DELETE /v1/saved_replies/{id}': of('saved reply', '/v1/saved_replies/'),
  'PUT /v1/mailboxes/{id}': mailbox('', { signature: 'New' }),
  'DELETE /v1/mailboxes/{id}': mailbox(),
  'PUT /v1/mailboxes/{id}/smtp': mailbox('/smtp', { host: 'mail.example.com' }),
  'DELETE /v1/mailboxes/{id}/smtp': mailbox('/smtp'),
  'PUT /v1/mailboxes/{id}/imap': mailbox('/imap', IMAP),
  'DELETE /v1/mailboxes/{id}/imap': mailbox('/imap'),
  'POST /v1/mailboxes/{id}/imap/rescan': mailbox('/imap'),
  'POST /v1/mailboxes/{id}/imap/pause': mailbox('/imap'),
  'POST /v1/mailboxes/{id}/imap/resume': mailbox('/imap'),
  'POST /v1/mailboxes/{id}/imap/import': { ...mailbox('/imap', {}), records: () => newMailbox({ importing: false }) },
  'DELETE /v1/mailboxes/{id}/imap/import': mailbox('/imap/import'),
  'PATCH /v1/webhooks/{id}': webhook({ state: 'paused' }),
  'DELETE /v1/webhooks/{id}': webhook(),
  'PUT /v1/webhooks/by-key/{key}': {
    records: keyedWebhook,
    read: '/v1/webhooks/',
    body: { event: 'ticket_closed', url: 'https://keyed.example.com/', name: 'New' },
  },
  'POST /v1/webhooks/{id}/secret/rotate': webhook({}),
  'POST /v1/webhooks/{id}/test': webhook(),
  'POST /v1/webhooks/{id}/replay': webhook({}),
  'POST /v1/deliveries/{id}/redeliver': of('delivery', '/v1/deliveries/'),
  'POST /v1/replays/{id}/cancel': of('replay', '/v1/replays/'),
  'POST /v1/arrivals/{id}/release': { records: quarantinedMail, read: '/v1/arrivals/' },
  'POST /v1/arrivals/{id}/discard': { records: quarantinedMail, read: '/v1/arrivals/' },
};

async function newMailbox({ importing = true } = {}): Promise<string[]> {
  const { id } = await addMailbox(desk);
  const path = `/v1/mailboxes/${id}`;
  await desk.client().put(`${path}/smtp`, { host: 'mail.example.com' });
  await desk.client().put(`${path}/imap`, IMAP);
  if (importing) await desk.client().post(`${path}/imap/import`, {});
  return [id];
}

async function bouncedMessage(): Promise<string[]> {
  await desk.client().put(`/v1/mailboxes/${desk.account.mailbox.id}`, { replies_by_mail: true });
  const { number } = await startTicket(desk);
  const { id } = (await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Answer' })).body.message;
  await desk.sql.query("update outgoing_mails set state = 'failed' where message_id = $1", [id]);
  return [id];
}

async function quarantinedMail(): Promise<string[]> {
  const { id } = (await postMail(desk, mailText())).body.arrival;
  await desk.sql.query("update arrivals set state = 'quarantined', reason = 'too_many' where id = $1", [id]);
  return [id];
}

async function keyedWebhook(): Promise<string[]> {
  const wanted = { event: 'ticket_closed', url: 'https://keyed.example.com/', name: `Old ${Math.random()}` };
  await desk.client().put('/v1/webhooks/by-key/mine', wanted);
  return ['mine'];
}

async function readPathOf(name: string, [word = '']: readonly string[]): Promise<string> {
  const { read } = CASES[name]!;
  if (read.includes('*')) return read.replace('*', word);
  if (!name.includes('{key}')) return `${read}${word}`;
  const { webhooks } = (await desk.client().get('/v1/webhooks?url=https://keyed.example.com/')).body;
  return `${read}${webhooks[0].id}`;
}

async function call(name: string, words: readonly string[], ifMatch: string): Promise<ApiResponse> {
  const operation = conditional.find((one) => one.name === name)!;
  return desk
    .client()
    .send(operation.method, requestPathOf(operation, words), CASES[name]!.body, { 'if-match': ifMatch });
}

/** The contents of all tables of the account that requests change, except the use of the token. */
async function contents(): Promise<unknown> {
  const { rows } = await desk.sql.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and c.relname not in ('grants', 'tokens', 'stray_files') order by 1`,
  );
  const sums = rows.map(
    ({ name }) => `select '${name}', count(*), sum(hashtext(t::text)::bigint) from ${name} t where account_id = $1`,
  );
  return (await desk.sql.query(sums.join(' union all '), [desk.account.id])).rows;
}

const etagAt = async (path: string) => (await desk.client().get(path)).headers.get('etag')!;

describe('If-Match', () => {
  it('has a test for each operation that documents it', () => {
    expect(conditional.map(({ name }) => name).toSorted()).toEqual(Object.keys(CASES).toSorted());
  });

  it.each(Object.keys(CASES))('with a stale ETag, causes 412 and changes nothing: %s', async (name) => {
    const words = await CASES[name]!.records();
    const before = await contents();
    const refused = await call(name, words, '"stale"');

    expect([refused.status, refused.body?.error]).toEqual([412, 'precondition_failed']);
    expect(await contents()).toEqual(before);
  });

  it.each(Object.keys(CASES))('with the present ETag among others, also a weak one, lets it pass: %s', async (name) => {
    const words = await CASES[name]!.records();
    const etag = await etagAt(await readPathOf(name, words));

    expect((await call(name, words, `"stale", W/${etag}`)).status).toBeLessThan(300);
  });
});

const reply = (number: number, etag: string, token?: string) =>
  desk.client(token).post(`/v1/tickets/${number}/messages`, { body: 'Answer' }, { 'if-match': etag });
const countOf = async (number: number) => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket.message_count;

describe('a reply with If-Match', () => {
  it('stops after the customer wrote, and passes with the new ETag or a wildcard', async () => {
    const { number, links } = await startTicket(desk);
    const path = `/v1/tickets/${number}`;
    const etag = await etagAt(path);
    const author = (await desk.client().get(new URL(links.customer.href).pathname)).body.customer.email;
    await desk.client().post(`${path}/messages`, { body: 'Never mind, solved.', author });

    expect([(await reply(number, etag)).status, await countOf(number)]).toEqual([412, 2]);
    expect((await reply(number, await etagAt(path))).status).toBe(201);
    expect((await reply(number, '*')).status).toBe(201);
  });

  it('passes once of ten at the same time', async () => {
    const { number } = await startTicket(desk);
    const etag = await etagAt(`/v1/tickets/${number}`);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => reply(number, etag)))).map(
      ({ status }) => status,
    );

    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, ...Array(9).fill(412)]);
    expect(await countOf(number)).toBe(2);
  });

  it('with the ETag of its ticket and an Idempotency-Key, is repeated without a second reply', async () => {
    const { number } = await startTicket(desk);
    const headers = { 'if-match': await etagAt(`/v1/tickets/${number}`), 'idempotency-key': 'once' };
    const post = () => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Answer' }, headers);

    expect([(await post()).status, (await post()).status, await countOf(number)]).toEqual([201, 201, 2]);
  });

  it('needs a scope that shows tickets, so that it does not tell whether one changed', async () => {
    const { number } = await startTicket(desk);
    const { id: accountId, owner } = desk.account;
    const token = await seedToken(desk.sql, { accountId, agentId: owner.id, scopes: ['messages:write'] });
    const both = await seedToken(desk.sql, { accountId, agentId: owner.id, scopes: ['write'] });
    const etag = await etagAt(`/v1/tickets/${number}`);
    const again = `/v1/messages/${await NEW_RECORDS.message(desk)}/send_again`;
    const refused = [
      await reply(number, etag, token),
      await reply(number, '"stale"', token),
      await desk.client(token).post(again, undefined, { 'if-match': '"stale"' }),
    ];
    for (const { status, body } of refused)
      expect([status, body.detail]).toEqual([403, 'This needs a token with the scope tickets:read.']);
    expect((await desk.client(token).post(`/v1/tickets/${number}/messages`, { body: 'Answer' })).status).toBe(201);
    expect((await reply(number, await etagAt(`/v1/tickets/${number}`), both)).status).toBe(201);
  });

  it('returns 404 for a ticket of another account, whatever the ETag', async () => {
    const other = await seedAccount(desk.sql);
    const { number } = await startTicket(desk);
    for (let count = 0; count < 3; count++) await startTicket(desk);
    const etag = await etagAt(`/v1/tickets/${number}`);
    const client = desk.client(other.owner.token);

    expect((await client.post(`/v1/tickets/${number}/messages`, { body: 'x' }, { 'if-match': etag })).status).toBe(404);
  });
});
