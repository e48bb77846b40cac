import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from '../support/client.js';
import { type Desk, startDesk } from '../support/desk.js';
import { rowsOf } from '../support/rows.js';
import { type SeededAccount, seedAccount } from '../support/seed.js';

let desk: Desk;
let ours: Furnished;
let theirs: Furnished;

/** An account with one of everything, alike in both down to numbers, e-mails and names. */
interface Furnished {
  readonly account: SeededAccount;
  readonly client: Client;
  /** What each parameter of a path may be, in the account's own records. */
  readonly names: Readonly<Record<string, string>>;
  /** Words that stand in this account's records only. */
  readonly mark: string;
}

beforeAll(async () => {
  desk = await startDesk();
  ours = await furnish(desk.account, 'oursonly');
  theirs = await furnish(await seedAccount(desk.sql), 'theirsonly');
});
afterAll(() => desk.stop());

async function furnish(account: SeededAccount, mark: string): Promise<Furnished> {
  const client = desk.client(account.owner.token);
  const add = async (path: string, body: object) => must(await client.post(path, body));
  const { agent } = await add('/v1/agents', { email: 'twin@acme.test', first_name: mark });
  const { group } = await add('/v1/groups', { name: 'Twins', members: [agent.email] });
  const { mailbox } = await add('/v1/mailboxes', { name: 'Twin', email: 'twin-box@acme.test' });
  const { ticket } = await add('/v1/tickets', {
    body: mark,
    subject: mark,
    from: { email: 'twin@client.test', first_name: mark, custom: { mark } },
    to: mailbox.email,
    assignee: agent.email,
    assigned_group: group.name,
    tags: ['twin'],
    priority: 'low',
  });
  const { message } = await add(`/v1/tickets/${ticket.number}/messages`, { body: mark });
  const { webhook } = await add('/v1/webhooks', { event: 'ticket_started', url: `https://example.com/${mark}` });
  const names = { agent: agent.id, group: group.id, mailbox: mailbox.id, message: message.id, webhook: webhook.id };
  return { account, client, mark, names };
}

function must({ status, body, text }: Answer): Answer['body'] {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: object;
}

/** Every route as the document tells it: a new one is covered by being there. */
const routes = () =>
  Object.entries(desk.contract.document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation: operation as Operation,
      })),
    );

/** Bodies that would change something if they got that far. */
const BODY = {
  body: 'intruder',
  from: 'twin@client.test',
  to: 'twin-box@acme.test',
  state: 'spam',
  assignee: null,
  assigned_group: null,
  priority: 'urgent',
  tags: ['intruder'],
  title: 'intruder',
  name: 'intruder',
  first_name: 'intruder',
  url: 'https://example.com/intruder',
};

describe('What belongs to another account', () => {
  it('is answered as if it were not there, whatever id is used and wherever', async () => {
    const before = await rowsOf(desk.sql, theirs.account.id);
    const foreign = Object.values(theirs.names);

    for (const { path, method, operation } of routes().filter((route) => /\{(?!number|tag)/.test(route.path)))
      for (const id of foreign) {
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'number' ? '1' : id));
        const answer = await ours.client.send(method, address, operation.requestBody && BODY);
        expect({ route: `${method} ${address}`, status: answer.status }).toEqual({
          route: `${method} ${address}`,
          status: path.includes('change_mailbox') ? 422 : 404,
        });
      }

    expect(await rowsOf(desk.sql, theirs.account.id)).toEqual(before);
  });

  it('is not in any list, count or answer, under any filter', async () => {
    const values = [...Object.values(theirs.names), theirs.mark, 'twin@acme.test', 'twin@client.test', 'Twins', 'twin'];

    for (const { path, operation } of routes().filter(({ method }) => method === 'GET')) {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        name === 'number' ? '1' : 'twin@client.test',
      );
      const filters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const asked = [
        '',
        ...filters.flatMap(({ name }) => values.map((value) => `?${name}=${encodeURIComponent(value)}`)),
      ];
      for (const query of asked) {
        const { text } = await ours.client.get(`${address}${query}`);
        expect(
          text.replaceAll(encodeURIComponent(theirs.mark), '').includes(`"${theirs.mark}"`),
          `${address}${query}`,
        ).toBe(false);
        for (const id of Object.values(theirs.names).filter((one) => !query.includes(one)))
          expect(text.includes(id), `${address}${query} shows ${id}`).toBe(false);
      }
    }
  });

  it('is not changed by doing to our own whatever can be done', async () => {
    const before = await rowsOf(desk.sql, theirs.account.id);

    for (const { path, method, operation } of routes().filter((route) => route.method !== 'GET')) {
      const own = (name: string) => ({ number: '1', tag: 'twin', mailbox_id: ours.names['mailbox']! })[name];
      const byId = (name: string) =>
        own(name) ?? ours.names[path.split('/')[2]!.replace(/e?s$/, '')] ?? 'twin@client.test';
      for (const named of [byId, (name: string) => own(name) ?? emailIn(path)]) {
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named(name));
        await ours.client.send(method, address, operation.requestBody && BODY);
      }
    }

    expect(await rowsOf(desk.sql, theirs.account.id)).toEqual(before);
    expect(must(await theirs.client.get('/v1/tickets/1')).ticket.title).toBe(theirs.mark);
  });

  it('costs no time that could be measured', async () => {
    // A word that is in ten thousand tickets there and in none here must not be slower to look for than any other.
    await desk.sql.query(
      `insert into ticket_words (ticket_id, source_id, account_id, words)
       select t.id, gen_random_uuid(), t.account_id, search_words(t.account_id, 'flooded')
       from tickets t, generate_series(1, 10000) where t.account_id = $1 and t.number = 1`,
      [theirs.account.id],
    );
    await desk.sql.query('analyze ticket_words');
    const median = async (q: string) => {
      const times: number[] = [];
      for (let run = 0; run < 15; run++) {
        const start = performance.now();
        must(await ours.client.get(`/v1/tickets?q=${q}`));
        times.push(performance.now() - start);
      }
      return times.sort((one, other) => one - other)[7]!;
    };

    const [nowhere, flooded] = [await median('nowhere'), await median('flooded')];

    expect(flooded).toBeLessThan(nowhere * 3 + 5);
  });
});

const emailIn = (path: string): string => (path.includes('agents') ? 'twin@acme.test' : 'twin@client.test');
