import { EVENT_KINDS } from '#libs/payloads';
import type { ApiClient, ApiResponse } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import type { SeededAccount } from '#test/support/seed.js';
import { sendFile } from '#test/support/upload.js';
import { assetUrl } from '../../apps/api/src/layers/ui/assets.js';
import { mailText } from '#test/support/mails.js';
import { markOf } from './mark.js';

const AT_ONCE = 8;

export async function fillAccount(
  client: ApiClient,
  account: SeededAccount,
  tickets: number,
  webhookUrl?: string,
): Promise<void> {
  const mark = markOf(account.id);
  const kinds = webhookUrl === undefined ? [] : Object.keys(EVENT_KINDS);
  await each(kinds, (event) => created(client.post('/v1/webhooks', { event, url: `${webhookUrl}${event}` })));
  await each(numbers(Math.ceil(tickets / 6)), (one) => recordsOfDesk(client, account, one));
  await each(numbers(tickets), async (one) => {
    const from = { email: `customer-${one % 12}@client.test`, first_name: mark };
    const wanted = { subject: mark, body: `${mark} It broke.`, from, to: account.mailbox.email, tags: ['vip'] };
    const { ticket } = await created(client.post('/v1/tickets', wanted));
    if (one % 4 === 0) await withMessages(client, ticket.number as number, mark);
    if (one % 10 === 5) await client.delete(`/v1/tickets/${ticket.number}`);
  });
}

async function recordsOfDesk(client: ApiClient, { id, mailbox }: SeededAccount, one: number): Promise<void> {
  const mark = markOf(id);
  const email = `colleague-${one}-${id.slice(-8)}@acme.test`;
  await created(client.post('/v1/agents', { email, first_name: mark }));
  await created(client.post('/v1/customers', { email: `spare-${one}@client.test`, about: mark }));
  await created(client.post('/v1/groups', { name: `Group ${one} ${mark}`, members: [email] }));
  await created(client.post('/v1/mailboxes', { name: `Box ${one} ${mark}`, email: `box-${one}-${mailbox.email}` }));
}

async function withMessages(client: ApiClient, number: number, mark: string): Promise<void> {
  const { message } = await created(
    client.post(`/v1/tickets/${number}/messages`, { body: `<p>${mark} <b>note</b></p>`, note: true }),
  );
  await created(sendFile(client, `/v1/messages/${message.id}/attachments`, mark));
}

async function created(asked: Promise<ApiResponse>): Promise<ApiResponse['body']> {
  const { status, text, body } = await asked;
  if (status !== 201 && status !== 202) throw new Error(`A record of the world was not made: ${status} ${text}`);
  return body;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_none, index) => index);

async function each<T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> {
  const waiting = values.values();
  const goOn = async (): Promise<void> => {
    for (const value of waiting) await work(value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
}

export type ReadWords = Awaited<ReturnType<typeof wordsOf>>;

/** Words that requests can use, ending with a few of other accounts. */
export async function readWords(ours: ApiClient, others: readonly ApiClient[]): Promise<ReadWords> {
  const own = await wordsOf(ours, { withDeliveries: true });
  const foreign = await Promise.all(others.map((client) => wordsOf(client)));
  const entries = Object.entries(own).map(([kind, words]) => [
    kind,
    // Links admit their holder, whatever the account.
    kind === 'downloads'
      ? words
      : [...words, ...foreign.flatMap((theirs) => theirs[kind as keyof ReadWords].slice(0, 1))],
  ]);
  return Object.fromEntries(entries) as ReadWords;
}

interface Listed {
  readonly id: string;
  readonly email?: string;
  readonly name?: string;
  readonly number?: number;
  readonly url?: string;
}

async function wordsOf(client: ApiClient, { withDeliveries = false } = {}) {
  const list = async (name: string, path = `/v1/${name}`): Promise<Listed[]> =>
    (await client.get(`${path}${path.includes('?') ? '&' : '?'}per_page=50`)).body[name] as Listed[];
  const [tickets, agents, customers] = [await list('tickets'), await list('agents'), await list('customers')];
  const [groups, mailboxes, webhooks] = [await list('groups'), await list('mailboxes'), await list('webhooks')];
  const deleted = await list('tickets', '/v1/tickets?folder=deleted');
  const messages = (
    await Promise.all(tickets.map(({ number }) => list('messages', `/v1/tickets/${number}/messages`)))
  ).flat();
  const files = (
    await Promise.all(messages.map(({ id }) => list('attachments', `/v1/attachments?message=${id}`)))
  ).flat();
  const deliveries = withDeliveries ? await deliveriesOf(client, webhooks) : [];
  return {
    tickets: [...tickets, ...deleted].map(({ number }) => `${number}`),
    messages: idsOf(messages),
    customers: customers.flatMap(({ id, email = id }) => [email, id]),
    agents: agents.filter(({ email }) => email?.startsWith('colleague-')).flatMap(({ id, email = id }) => [email, id]),
    groups: groups.flatMap(({ id, name = id }) => [id, name]),
    mailboxes: mailboxes.flatMap(({ id, email = id }) => [id, email]),
    arrivals: await arrivalsOf(client, mailboxes, agents),
    tags: ['vip', 'refund'],
    webhooks: idsOf(webhooks),
    deliveries: idsOf(deliveries),
    replays: withDeliveries ? await replaysOf(client, webhooks) : [],
    events: idsOf(await list('events')),
    attachments: idsOf(files),
    downloads: files.map(({ url = '' }) => url.replace(/^https?:\/\/[^/]+/, '')),
    assets: [assetUrl('console.css'), assetUrl('live.js'), assetUrl('icon.svg')],
    cursors: await cursorsOf(client),
  };
}

const idsOf = (records: readonly Listed[]): string[] => records.map(({ id }) => id);

/** The product quarantines one of two emails, because its sender claims to be an agent. */
async function arrivalsOf(
  client: ApiClient,
  mailboxes: readonly Listed[],
  agents: readonly Listed[],
): Promise<string[]> {
  const mail = { 'content-type': 'message/rfc822' };
  const mails = [mailText(), mailText({ From: agents[0]!.email! })];
  const brought = mailboxes
    .slice(0, 4)
    .flatMap(({ id }) => mails.map((text) => created(client.post(`/v1/mailboxes/${id}/raw`, text, mail))));
  const ids = (await Promise.all(brought)).map(({ arrival }) => arrival.id as string);
  // From then on nothing changes in an account without callers.
  await eventually(() => areProcessed(client), { withinMs: 30_000 });
  return ids;
}

async function areProcessed(client: ApiClient): Promise<boolean> {
  const { body } = await client.get('/v1/arrivals?state=waiting');
  return (body.arrivals as Listed[]).length === 0;
}

/** The worker delivers while the account is filled. */
function deliveriesOf(client: ApiClient, webhooks: readonly Listed[]): Promise<Listed[]> {
  return eventually(
    async () => {
      const lists = webhooks.map(({ id }) => client.get(`/v1/webhooks/${id}/deliveries`));
      const deliveries = (await Promise.all(lists)).flatMap(({ body }) => body.deliveries as Listed[]);
      return deliveries.length > 0 && deliveries;
    },
    { withinMs: 30_000 },
  );
}

async function replaysOf(client: ApiClient, webhooks: readonly Listed[]): Promise<string[]> {
  const started = webhooks.slice(0, 4).map(({ id }) => client.post(`/v1/webhooks/${id}/replay`, { only: 'all' }));
  return (await Promise.all(started)).flatMap(({ body }) => (body.replay ? [body.replay.id as string] : []));
}

const LISTS = [
  '/v1/tickets?per_page=5',
  '/v1/customers?per_page=1',
  '/v1/events?per_page=1',
  '/v1/tickets?per_page=5&sort=number',
];

async function cursorsOf(client: ApiClient): Promise<string[]> {
  const pages = await Promise.all(LISTS.map((path) => client.get(path)));
  const found = pages.flatMap(({ text }) =>
    [...text.matchAll(/[?&]cursor=([\w-]+)/g)].map(([, cursor = '']) => cursor),
  );
  return [...new Set([...found, ...FORGED_CURSORS])];
}

const FORGED_CURSORS = [
  ['after', 'created_at', '2024-02-30T00:00:00.000Z', '1'],
  ['after', 'number', '99999999999999999999', '1'],
  ['before', 'email', '\0', {}],
].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));
