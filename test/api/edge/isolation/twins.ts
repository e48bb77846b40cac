import { randomUUID } from 'node:crypto';
import type { ApiResponse, ApiClient } from '#test/support/api-client.js';
import type { Desk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { minimalValueOf, operationsOf } from '#test/support/openapi-operations.js';
import type { Receiver } from '#test/support/receiver.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { sendFile } from '#test/support/upload.js';

/** One of two accounts with the same people, names, numbers and texts. */
export interface Twin {
  readonly account: SeededAccount;
  readonly client: ApiClient;
  /** Stands in every free text of the account. Elsewhere it is a leak. */
  readonly mark: string;
  /** The secrets of its webhooks. */
  readonly secrets: string[];
}

/** Names that both accounts use. The tests may delete the spare records. */
export const SHARED = {
  numbers: ['1', '2', '3', '4'],
  deletedNumber: '4',
  owner: 'owner@twin.test',
  agent: 'noor@twin.test',
  customer: 'ana@client.test',
  spareCustomer: 'spare@client.test',
  mailbox: 'Sales',
  spareMailbox: 'Spare mailbox',
  group: 'Billing',
  spareGroup: 'Spare group',
  tag: 'vip',
} as const;

/** Names that only the second account uses. */
export const ONLY = {
  number: '8001',
  agent: 'only-agent@twin.test',
  customer: 'only-customer@client.test',
  mailbox: 'Only mailbox',
  mailboxEmail: 'only-mailbox@twin.test',
  group: 'Only group',
  tag: 'only-tag',
} as const;

/** A server that is never connected to. */
export const IMAP = { host: 'imap.invalid', username: 'ana' } as const;

export async function seedTwin(desk: Desk): Promise<Twin> {
  const account = await seedAccount(desk.sql, { name: 'Twin', email: SHARED.owner });
  return { account, client: desk.client(account.owner.token), mark: `mark-${randomUUID()}`, secrets: [] };
}

/** Creates as many kinds of records as possible, and waits until the worker has delivered their events. */
export async function liveIn(desk: Desk, twin: Twin, receiver: Receiver): Promise<void> {
  const { client, mark } = twin;
  await created(client.post('/v1/agents', { email: SHARED.agent, first_name: 'Noor', last_name: 'Berg' }));
  for (const name of [SHARED.group, SHARED.spareGroup])
    await created(client.post('/v1/groups', { name, members: [SHARED.agent] }));
  for (const shared of [true, false])
    await created(client.post('/v1/saved_replies', { name: SHARED.group, body: mark, shared, state: 'closed' }));
  for (const [place, name] of [SHARED.mailbox, SHARED.spareMailbox].entries())
    await created(client.post('/v1/mailboxes', { name, email: `mailbox-${place}@twin.test` }));
  for (const name of [SHARED.mailbox, SHARED.spareMailbox]) await setUpImap(twin, name);
  await client.put(`/v1/mailboxes/${SHARED.mailbox}/smtp`, { host: `${mark}.example.com` });
  await created(client.post('/v1/customers', { email: SHARED.spareCustomer, about: mark }));
  await addOtherRecords(desk, twin);
  for (const event of ['ticket_started', 'note_added']) await registerWebhook(twin, event, receiver.url + mark);
  for (const number of SHARED.numbers) await startTicket(twin, { subject: `${mark} ${number}` });
  await created(client.post('/v1/tickets/1/messages', { body: `${mark} note`, note: true }));
  await created(client.post('/v1/tickets/1/messages', { body: `${mark} reply`, author: SHARED.customer }));
  const { messages } = (await client.get('/v1/tickets/1/messages')).body;
  await created(sendFile(client, `/v1/messages/${messages[0].id}/attachments`, mark));
  await client.put('/v1/tickets/2/state', { state: 'closed' });
  await client.put('/v1/tickets/3/assigned_group', { assigned_group: SHARED.group });
  await client.delete(`/v1/tickets/${SHARED.deletedNumber}`);
  await handOverMail(twin, SHARED.customer, 'processed');
  for (let held = 0; held < 2; held++) await handOverMail(twin, SHARED.owner, 'quarantined');
  await desk.sql.query(FAILED_MAILS, [twin.account.id]);
  await eventually(() => allDelivered(desk, twin));
}

/** A failed email for each message, so that any of them can be sent again. */
const FAILED_MAILS = `
  insert into outgoing_mails (id, account_id, lane, kind, state, recipient, message_id, due_at, queued_at, ended_at)
  select gen_random_uuid(), account_id, account_id, 'message', 'failed', '${SHARED.customer}', id, now(), now(), now()
  from messages where account_id = $1`;

async function setUpImap({ client, mark }: Twin, mailbox: string): Promise<void> {
  const path = `/v1/mailboxes/${encodeURIComponent(mailbox)}/imap`;
  await client.put(path, { ...IMAP, password: mark });
  await client.post(`${path}/import`);
  // The shared mailbox starts its import in the test, and the spare one stops it.
  if (mailbox === SHARED.mailbox) await client.delete(`${path}/import`);
  await client.post(`${path}/pause`);
}

/** Waits until the worker has made a ticket of the mail or has quarantined it. */
async function handOverMail({ client, mark }: Twin, from: string, state: string): Promise<void> {
  const mail = mailText({ From: from, Subject: mark });
  const path = `/v1/mailboxes/${encodeURIComponent(SHARED.mailbox)}/raw`;
  const { arrival } = await created(client.post(path, mail, { 'content-type': 'message/rfc822' }));
  await eventually(async () => (await client.get(`/v1/arrivals/${arrival.id}`)).body.arrival.state === state);
}

/** Resources whose records `liveIn` creates itself. */
const ADDED = new Set(['agents', 'customers', 'groups', 'mailboxes', 'tickets', 'webhooks']);

/** Creates one record of each other resource from the minimal body of its POST. */
async function addOtherRecords(desk: Desk, { client, mark }: Twin): Promise<void> {
  for (const { method, path, inPath, body } of operationsOf((await desk.anonymous().get('/openapi.json')).body))
    if (method === 'POST' && body && inPath.length === 0 && !ADDED.has(path.split('/')[2]!))
      await created(
        client.post(
          path,
          minimalValueOf(body, () => mark),
        ),
      );
}

/** Creates the records that only the second account has. */
export async function liveFurtherIn(desk: Desk, twin: Twin): Promise<void> {
  const { client, mark } = twin;
  await created(client.post('/v1/agents', { email: ONLY.agent, first_name: mark }));
  await created(client.post('/v1/groups', { name: ONLY.group, members: [ONLY.agent, SHARED.owner] }));
  await created(client.post('/v1/mailboxes', { name: ONLY.mailbox, email: ONLY.mailboxEmail }));
  await desk.sql.query('update accounts set last_ticket_number = 8000 where id = $1', [twin.account.id]);
  await startTicket(twin, {
    from: { email: ONLY.customer, first_name: mark },
    mailbox: ONLY.mailbox,
    assignee: ONLY.agent,
    assigned_group: ONLY.group,
    tags: [ONLY.tag, SHARED.tag],
    priority: 'urgent',
  });
  await eventually(() => allDelivered(desk, twin));
}

/** Registers a webhook with a cancelled replay. */
async function registerWebhook({ client, secrets }: Twin, event: string, url: string): Promise<void> {
  const { webhook } = await created(client.post('/v1/webhooks', { event, url }));
  secrets.push(webhook.secret);
  const { replay } = await created(client.post(`/v1/webhooks/${webhook.id}/replay`, {}));
  await client.post(`/v1/replays/${replay.id}/cancel`);
}

async function startTicket({ client, mark, account }: Twin, fields: Record<string, unknown>): Promise<void> {
  const body = `${mark} It broke.`;
  const usual = { from: SHARED.customer, to: account.mailbox.email, tags: [SHARED.tag], assignee: SHARED.owner };
  await created(client.post('/v1/tickets', { body, ...usual, ...fields }));
}

async function created(asked: Promise<ApiResponse>): Promise<ApiResponse['body']> {
  const { status, text, body } = await asked;
  if (status !== 201 && status !== 202) throw new Error(`not created: ${status} ${text}`);
  return body;
}

async function allDelivered({ sql }: Desk, { account }: Twin): Promise<boolean> {
  const { rows } = await sql.query<{ told: boolean }>(
    `select not exists (select 1 from outbox where account_id = $1)
       and not exists (select 1 from owed_deliveries where account_id = $1) as told`,
    [account.id],
  );
  return rows[0]!.told;
}
