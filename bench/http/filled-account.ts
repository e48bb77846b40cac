import { type SeededAccount, seedAccount, seedToken } from '#test/support/seed.js';
import type { HttpBench } from './http-bench.js';

export interface FilledAccount {
  readonly tickets: number;
  readonly token: string;
}

/**
 * Inserts an account with this many tickets, spread over states, people, tags and words, directly into the tables. An
 * account left by an earlier run on the same database is used again.
 */
export async function filledAccount(stack: HttpBench, tickets: number): Promise<FilledAccount> {
  const { rows } = await stack.sql.query<{ accountId: string; agentId: string }>(
    `select a.id as "accountId", g.id as "agentId" from accounts a join agents g on g.account_id = a.id
     where a.name = $1 and a.last_ticket_number = $2`,
    [nameOf(tickets), tickets],
  );
  if (rows[0]) return { tickets, token: await seedToken(stack.sql, rows[0]) };
  const account = await seedAccount(stack.sql, { name: nameOf(tickets) });
  await fill(stack, account, tickets);
  return { tickets, token: account.owner.token };
}

const nameOf = (tickets: number): string => `${tickets} tickets`;

/** Enough of each for full pages, however few the tickets are: a page of one is cheaper than a page of 25. */
const TICKETS_OF_A_CUSTOMER = 50;
const MAX_CUSTOMERS = 1000;

async function fill({ sql }: HttpBench, account: SeededAccount, tickets: number): Promise<void> {
  const customers = Math.min(MAX_CUSTOMERS, tickets / TICKETS_OF_A_CUSTOMER);
  await sql.query('set statement_timeout = 0');
  await sql.query("set maintenance_work_mem = '512MB'");
  await sql.query(CUSTOMERS, [account.id, customers]);
  await withoutIndexes(sql, ['tickets', 'ticket_words'], async () => {
    await sql.query(TICKETS, [account.id, tickets, account.mailbox.id, account.owner.id]);
    await sql.query(WORDS, [account.id]);
  });
  await sql.query('update accounts set last_ticket_number = $2 where id = $1', [account.id, tickets]);
  await sql.query('vacuum analyze');
  await sql.query('checkpoint');
}

/** Building an index once takes a fraction of the time of updating it for each of a million rows. */
export async function withoutIndexes(
  sql: HttpBench['sql'],
  tables: string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not i.indisunique`,
    [tables],
  );
  for (const { name } of rows) await sql.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await sql.query(definition);
}

const CUSTOMERS = `
  insert into customers (id, account_id, email, created_at, updated_at)
  select gen_random_uuid(), $1, 'bench' || n || '@client.test', now(), now() from generate_series(1, $2::int) n`;

/** A second apart. The order of changes differs from the order of creation. */
export const TICKETS = `
  with c as (select array_agg(id) as ids from customers where account_id = $1)
  insert into tickets (id, account_id, number, title, state, priority, assignee_id, mailbox_id, customer_id, tags, summary,
    message_count, created_at, updated_at)
  select new_uuid_at(now() - make_interval(secs => $2 - n)), $1, n, 'Ticket ' || n,
    (array['unread', 'opened', 'pending', 'closed', 'closed', 'closed'])[1 + n % 6], (array['low', 'medium', 'high', 'urgent', null])[1 + n % 5],
    case when n % 3 > 0 then $4::uuid end, $3, c.ids[1 + n % cardinality(c.ids)], case when n % 10 = 0 then array['login'] else '{}' end,
    'I cannot sign in', 1, date_trunc('milliseconds', now() - make_interval(secs => $2 - n)),
    date_trunc('milliseconds', now() - make_interval(secs => ($2 - n) - n * 7919::bigint % 3600))
  from generate_series(1, $2::int) n, c`;

/**
 * Words of every frequency: in one ticket, in about fifty, in every twentieth and every seventh, and two common words
 * that never occur together.
 */
const WORDS = `
  insert into ticket_words (ticket_id, source_id, account_id, words)
  select id, id, $1, array_to_tsvector(account_words($1, string_to_array('Ticket ' || number
    || case when number = 500 then ' zeppelin' else '' end
    || case when number <= 50 or number % 300 = 0 then ' warranty' else '' end
    || case when number % 7 = 0 then ' invoice' else '' end
    || case number % 20 when 0 then ' I lost my password' when 1 then ' please refund me' else ' the printer is on fire' end, ' ')))
  from tickets where account_id = $1`;
