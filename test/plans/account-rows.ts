import { wordVector } from '#libs/tickets';
import type { Client } from 'pg';
import type { SeededAccount } from '#test/support/seed.js';
import { holdStatistics } from './explained.js';

export const FEW_ROWS = 10;
export const MANY_ROWS = 100_000;

interface Numbers {
  readonly from: number;
  readonly to: number;
}

/**
 * Inserts tickets with a message and words each, customers, events and deliveries, without analysing the tables. Half of
 * the tickets are assigned to the owner, but no unread one.
 */
export async function growAccount(sql: Client, account: SeededAccount, { from, to }: Numbers): Promise<void> {
  await holdStatistics(sql);
  await sql.query("set session_replication_role = 'replica'");
  await sql.query('alter table tickets enable always trigger tickets_copy_recency');
  const usual = wordVector(account.id, 'the printer is on fire');
  const rare = wordVector(account.id, 'the zeppelin is on fire');
  const values = [account.id, from, to];
  await sql.query(CUSTOMERS, values);
  await sql.query(TICKETS, [...values, account.mailbox.id, account.owner.id]);
  await sql.query(MESSAGES, values);
  await sql.query(MENTIONS, [...values, account.owner.id]);
  await sql.query(WORDS, [...values, usual, rare]);
  await sql.query(EVENTS, values);
  await sql.query(WEBHOOK, [account.id]);
  await sql.query(DELIVERIES, values);
  await sql.query('update accounts set last_ticket_number = $2 where id = $1', [account.id, to]);
  await sql.query("set session_replication_role = 'origin'");
}

/** Ends the first ticket with notes. */
export async function addNotes(sql: Client, { id, owner }: SeededAccount, count: number): Promise<void> {
  await sql.query(
    `insert into messages (id, account_id, ticket_id, author_agent_id, note, body, plain_text_body, created_at, updated_at)
     select new_uuid_at(now()), $1, t.id, $2, true, 'Called again', 'Called again', now(), now()
     from tickets t, generate_series(1, $3::int) where t.account_id = $1 and t.number = 1`,
    [id, owner.id, count],
  );
}

const at = 'new_uuid_at(now() - make_interval(secs => 200000 - n))';

const CUSTOMERS = `
  insert into customers (id, account_id, email, external_id, created_at, updated_at)
  select ${at}, $1, 'c' || n || '@client.test', 'e' || n, now(), now() from generate_series($2::int, $3::int) n`;
const TICKETS = `
  insert into tickets (id, account_id, number, title, state, priority, assignee_id, mailbox_id, customer_id, tags, summary,
    external_id, message_count, created_at, updated_at)
  select ${at}, $1, n, 'Ticket ' || n, (array['unread', 'opened', 'pending', 'closed', 'unread', 'opened', 'pending', 'spam'])[1 + n % 8],
    (array['low', 'medium', 'high', 'urgent', null])[1 + n % 5], case when n % 3 > 0 and n % 4 > 0 then $5::uuid end, $4, c.id,
    case when n % 10 = 0 then array['login'] else '{}' end, 'I cannot sign in', 'e' || n, 1, now(), now()
  from generate_series($2::int, $3::int) n join customers c on c.account_id = $1 and c.email = 'c' || (1 + n / 20) || '@client.test'`;
const MESSAGES = `
  insert into messages (id, account_id, ticket_id, author_customer_id, note, body, plain_text_body, created_at, updated_at)
  select new_uuid_at(t.created_at), $1, t.id, t.customer_id, false, 'I cannot sign in', 'I cannot sign in', now(), now()
  from tickets t where t.account_id = $1 and t.number between $2 and $3`;
/** Of one ticket in a thousand. */
const MENTIONS = `
  insert into mentions (message_id, agent_id, account_id)
  select s.id, $4, $1 from tickets t join messages s on s.ticket_id = t.id
  where t.account_id = $1 and t.number between $2 and $3 and t.number % 1000 = 0`;
const WORDS = `
  insert into ticket_words (ticket_id, source_id, account_id, words)
  select t.id, t.id, $1, case when t.number in (5, 500) then $5::tsvector else $4::tsvector end
  from tickets t where t.account_id = $1 and t.number between $2 and $3`;
const EVENTS = `
  insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
  select ${at}, $1, n, 'ticket_started', '{}', n, now() from generate_series($2::int, $3::int) n`;
const WEBHOOK = `
  insert into webhooks (id, account_id, event, url, state, created_at, updated_at)
  select gen_random_uuid(), $1, 'ticket_started', 'https://acme.test/' || n, 'active', now(), now() from generate_series(1, 2) n
  where not exists (select from webhooks where account_id = $1)`;
const DELIVERIES = `
  insert into deliveries (id, account_id, webhook_id, event_id, kind, state, next_attempt_at, attempts, created_at)
  select new_uuid_at(now() - make_interval(secs => 200000 - e.sequence)), $1, w.id, e.id, 'ticket_started', 'delivered', null, 1, now()
  from events e, (select id from webhooks where account_id = $1 order by id limit 1) w where e.account_id = $1 and e.sequence between $2 and $3`;
