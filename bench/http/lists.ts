import { seedAccount } from '../../test/support/seed.js';
import type { HttpStack } from './stack.js';

const CALLS = {
  newest: '/v1/tickets',
  byState: '/v1/tickets?state=opened',
  byAssignee: '/v1/tickets?assignee=unassigned',
  byTag: '/v1/tickets?tag=login',
  byPriority: '/v1/tickets?priority=high',
  byCustomer: '/v1/tickets?customer=bench7@client.test',
  search: '/v1/tickets?q=password',
  pageTen: '/v1/tickets?page=10',
  counts: '/v1/tickets/count',
} as const;

const REQUESTS = 300;

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** The same calls on an account of a thousand tickets and, when the table has grown, on one of a million. */
export async function measureLists(stack: HttpStack, tickets: number) {
  const small = await measure(stack, await grow(stack, 1000));
  const large = await measure(stack, await grow(stack, tickets));
  return Object.fromEntries(
    Object.keys(CALLS).map((name) => {
      const [few, many] = [small[name]!, large[name]!];
      return [name, { few, many, ratioP50: many.p50 / few.p50, ratioP99: many.p99 / few.p99 }];
    }),
  );
}

async function measure(stack: HttpStack, token: string): Promise<Record<string, Latency>> {
  const latencies: Record<string, Latency> = {};
  for (const [name, path] of Object.entries(CALLS)) {
    const request = { method: 'GET', path, headers: { authorization: `Bearer ${token}` } } as const;
    const times = (count: number) => Array.from({ length: count }, () => request);
    await stack.load(times(30), { concurrency: 1 });
    const { p50, p99 } = await stack.load(times(REQUESTS), { concurrency: 2 });
    latencies[name] = { p50, p99 };
  }
  return latencies;
}

/** An account with so many tickets, spread over states, people, tags and words, put straight into the tables. */
export async function grow(stack: HttpStack, tickets: number): Promise<string> {
  const account = await seedAccount(stack.sql);
  await stack.sql.query('set statement_timeout = 0');
  await stack.sql.query(
    `insert into customers (id, account_id, email, created_at, updated_at)
     select gen_random_uuid(), $1, 'bench' || n || '@client.test', now(), now() from generate_series(1, least(1000, $2::int)) n`,
    [account.id, tickets],
  );
  await stack.sql.query(TICKETS, [account.id, tickets, account.mailbox.id, account.owner.id]);
  await stack.sql.query('update accounts set last_ticket_number = $2 where id = $1', [account.id, tickets]);
  await stack.sql.query(WORDS, [account.id]);
  await stack.sql.query('vacuum analyze');
  return account.owner.token;
}

const TICKETS = `
  with c as (select array_agg(id) as ids from customers where account_id = $1)
  insert into tickets (id, account_id, number, title, state, priority, assignee_id, mailbox_id, customer_id, tags, summary,
    message_count, created_at, updated_at)
  select new_uuid_at(now() - make_interval(secs => $2 - n)), $1, n, 'Ticket ' || n,
    (array['unread', 'opened', 'pending', 'closed', 'closed', 'closed'])[1 + n % 6], (array['low', 'medium', 'high', 'urgent', null])[1 + n % 5],
    case when n % 3 > 0 then $4::uuid end, $3, c.ids[1 + n % cardinality(c.ids)], case when n % 10 = 0 then array['login'] else '{}' end,
    'I cannot sign in', 1, now() - make_interval(secs => $2 - n), now() - make_interval(secs => $2 - n)
  from generate_series(1, $2::int) n, c`;

const WORDS = `
  insert into ticket_words (ticket_id, source_id, account_id, words)
  select id, id, $1, search_words($1, case when number % 20 = 0 then 'I lost my password' else 'The printer is on fire' end)
  from tickets where account_id = $1`;
