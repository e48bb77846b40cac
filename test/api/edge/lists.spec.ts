import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { addGroup, addMailbox, inviteAgent, startTicket } from '#test/support/desk-records.js';
import { operationsOf } from '#test/support/openapi-operations.js';
import { olderTransactionsEnd } from '#test/support/older-transactions.js';

const desk = await startDesk();
afterAll(() => desk.stop());

const numbers = async (query: string): Promise<number[]> => {
  const { status, body, text } = await desk.client().get(`/v1/tickets?per_page=50&${query}`);
  if (status !== 200) throw new Error(text);
  return body.tickets.map((ticket: { number: number }) => ticket.number);
};

const read = async (address: string) => {
  const { pathname, search } = new URL(address, desk.base);
  return (await desk.client().get(pathname + search)).body;
};

/** Each filter of tickets, with a value that no ticket of this desk has. */
const UNMATCHED: Readonly<Record<string, string>> = {
  folder: 'spam',
  customer: 'nobody@client.test',
  assignee: 'nobody@acme.test',
  assigned_group: 'Nobody',
  state: 'spam',
  mailbox: 'Nowhere',
  tag: 'unused',
  priority: 'urgent',
  external_id: 'unknown',
  created_since: '2100-01-01',
  created_before: '2000-01-01',
  updated_since: '2100-01-01',
  q: 'unheard',
};
const OTHER_PARAMETERS = ['page', 'per_page', 'cursor', 'sort', 'include'];

describe('the filters of a list', () => {
  it('work alone and combined', async () => {
    const [agent, group, mailbox] = [await inviteAgent(desk), await addGroup(desk), await addMailbox(desk)];
    const all = { assignee: agent.email, assigned_group: group.name, mailbox: mailbox.name, state: 'pending' };
    const ticket = await startTicket(desk, { ...all, from: 'filter@client.test', tags: ['Red Hot'], priority: 'high' });
    const other = await startTicket(desk);
    desk.clock.advance({ hours: 1 });
    await startTicket(desk);
    const after = encodeURIComponent(new Date(Date.parse(ticket.created_at) - 1).toISOString());
    const before = encodeURIComponent(new Date(Date.parse(other.created_at) + 1).toISOString());

    for (const query of [
      'customer=FILTER@client.test',
      `assignee=${encodeURIComponent(agent.email)}`,
      `assignee=${agent.id}`,
      `assigned_group=${group.id}`,
      `assigned_group=${encodeURIComponent(group.name)}`,
      `mailbox=${mailbox.id}`,
      `mailbox=${mailbox.email}`,
      'state=pending',
      'state=pending,spam',
      'state[]=spam&state[]=pending',
      'tag=red%20hot',
      'priority=high',
      `priority=high&state=pending&tag=red%20hot&mailbox=${mailbox.name}`,
    ])
      expect({ query, found: await numbers(query) }).toEqual({ query, found: [ticket.number] });
    expect(await numbers(`created_since=${after}&created_before=${before}`)).toEqual([other.number, ticket.number]);
    expect(await numbers('customer=nobody@client.test')).toEqual([]);
    expect(await numbers('assignee=unassigned')).not.toContain(ticket.number);
    expect(await numbers('priority=none&assigned_group=none')).toContain(other.number);
  });

  it('each leave out tickets that do not match', async () => {
    const operations = operationsOf((await desk.anonymous().get('/openapi.json')).body);
    const { inQuery } = operations.find(({ name }) => name === 'GET /v1/tickets')!;
    await startTicket(desk);

    expect([...Object.keys(UNMATCHED), ...OTHER_PARAMETERS].toSorted()).toEqual(
      inQuery.map(({ name }) => name).toSorted(),
    );
    for (const [name, value] of Object.entries(UNMATCHED))
      expect({ name, found: await numbers(`${name}=${encodeURIComponent(value)}`) }).toEqual({ name, found: [] });
  });

  it('have no effect when they are empty', async () => {
    await startTicket(desk);
    await olderTransactionsEnd(desk.sql);
    const all = await numbers('');

    for (const query of ['state=', 'state=%20', 'state=,', 'include=,', 'tag=', 'q='])
      expect({ query, found: await numbers(query) }).toEqual({ query, found: all });
    for (const path of ['/v1/events?event=,', '/v1/events?event=%20'])
      expect((await desk.client().get(path)).body.events).not.toEqual([]);
  });

  it.each([
    'state=exploded',
    'sort=color',
    'page=0',
    'page=x',
    'per_page=-1',
    'folder=attic',
    'created_since=soon',
    'cursor=x',
  ])('return 422 with the name of the parameter: %s', async (query) => {
    const { status, body } = await desk.client().get(`/v1/tickets?${query}`);

    expect([status, body.errors[0].field]).toEqual([422, query.split('=')[0]]);
  });
});

describe('the full-text search', () => {
  it('caches the count of results for a minute', async () => {
    const total = async () =>
      (await desk.client().get('/v1/tickets?q=theremin&per_page=1')).body.meta.pagination.total_count;
    await startTicket(desk, { subject: 'Theremin' });
    const first = await total();
    await startTicket(desk, { subject: 'Theremin again' });
    const soon = await total();
    desk.clock.advance({ minutes: 2 });

    expect([first, soon, await total()]).toEqual([1, 1, 2]);
  });
});

describe('a walk through a list', () => {
  it.each(['', '&sort=number', '&sort=updated_at', '&sort=-updated_at', '&sort=created_at'])(
    'shows each ticket once while others are added%s',
    async (sort) => {
      const tag = `walk${sort.replaceAll(/\W/g, '')}`;
      const wanted: number[] = [];
      for (let count = 0; count < 12; count++) wanted.push((await startTicket(desk, { tags: [tag] })).number);
      const before = new Set(wanted);

      const seen: number[] = [];
      let path: string | null = `/v1/tickets?tag=${tag}&per_page=5${sort}`;
      let pages = 0;
      while (path !== null && pages++ < 20) {
        const { body, headers } = await desk.client().get(path);
        seen.push(...body.tickets.map((ticket: { number: number }) => ticket.number));
        if (pages === 1) await startTicket(desk, { tags: [tag] });
        const { next_page: next } = body.meta.pagination as { next_page: string | null };
        expect(headers.get('link')?.includes('rel="next"')).toBe(next !== null);
        path = next && new URL(next).pathname + new URL(next).search;
      }

      expect(seen.filter((number) => before.has(number)).sort((a, b) => a - b)).toEqual(wanted);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  it('goes back by prev_page, and jumps by page', async () => {
    for (let count = 0; count < 7; count++) await startTicket(desk, { tags: ['back'] });
    const first = await read('/v1/tickets?tag=back&per_page=3');
    const second = await read(first.meta.pagination.next_page);
    const third = await read(second.meta.pagination.next_page);
    const again = await read(third.meta.pagination.prev_page);

    expect([third.tickets.length, third.meta.pagination.next_page]).toEqual([1, null]);
    expect(again.tickets).toEqual(second.tickets);
    expect((await read(again.meta.pagination.prev_page)).tickets).toEqual(first.tickets);
    expect((await read('/v1/tickets?tag=back&per_page=3&page=2')).tickets).toEqual(second.tickets);
    expect(second.meta.pagination).toMatchObject({ current_page: 2, total_pages: 3, total_count: 7, per_page: 3 });
    expect(first.meta.pagination.prev_page).toBeNull();
  });

  it('continues past the counted pages', async () => {
    await desk.sql.query(
      `insert into tickets (id, account_id, number, state, mailbox_id, customer_id, tags, created_at, updated_at)
       select gen_random_uuid(), t.account_id, 100000 + n, 'unread', t.mailbox_id, t.customer_id, '{many}',
         date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
       from tickets t, generate_series(1, 10100) n where t.number = 1`,
    );

    const { body } = await desk.client().get('/v1/tickets?tag=many&per_page=50');
    const last = await desk.client().get('/v1/tickets?tag=many&per_page=50&page=200');
    const next = new URL(last.body.meta.pagination.next_page);
    const beyond = await desk.client().get(next.pathname + next.search);
    const jumped = await desk.client().get('/v1/tickets?tag=many&per_page=50&page=201');

    expect(body.meta.pagination).toMatchObject({ total_count: 10_000, total_count_capped: true, total_pages: 200 });
    expect(beyond.body.tickets).toHaveLength(50);
    expect([jumped.status, jumped.body.errors[0].code]).toEqual([422, 'page_too_far']);
  });

  it('reads a bounded number of tickets for a common word, and continues where it stopped', async () => {
    const mark = await startTicket(desk, { tags: ['seldom'], subject: 'Ostrich' });
    await desk.sql.query(
      `with filled as (
         insert into tickets (id, account_id, number, state, mailbox_id, customer_id, tags, created_at, updated_at)
         select new_uuid_at(now()), t.account_id, 200000 + n, 'unread', t.mailbox_id, t.customer_id,
           case when n <= 1100 then '{seldom}'::text[] else '{}' end, $1::timestamptz + n * interval '1 ms', $1::timestamptz
         from tickets t, generate_series(1, 51050) n where t.number = 1 returning *)
       insert into ticket_words (ticket_id, source_id, account_id, words)
       select id, id, account_id,
         array_to_tsvector(account_words(account_id, array[case when number <= 201100 then 'ostrich' else 'emu' end]))
       from filled`,
      [mark.created_at],
    );
    desk.clock.advance({ minutes: 2 });

    const atFirst = { 'tag=seldom': 50, 'q=ostrich': 0, 'q=ostrich%20ostri': 0 };
    for (const [query, reached] of Object.entries(atFirst)) {
      const first = await read(`/v1/tickets?per_page=50&${query}`);
      const seen = [...first.tickets];
      for (let next = first.meta.pagination.next_page; next !== null;) {
        const page = await read(next);
        seen.push(...page.tickets);
        next = page.meta.pagination.next_page;
      }

      expect(first.meta.pagination).toMatchObject({ total_count: reached, total_count_capped: true });
      expect(new Set(seen.map(({ number }) => number)).size).toBe(1101);
      expect(seen.at(-1).number).toBe(mark.number);
    }
    expect(await numbers('q=ostrich%20emu')).toEqual([]);
    expect((await read('/v1/tickets?q=ostrich%20emu')).meta.pagination.next_page).toContain('cursor=');
  }, 60_000);
});
