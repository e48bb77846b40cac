import type { Client as PgClient } from 'pg';

export const DIFFERENT_RECENCY = `
    select coalesce(t.id, n.ticket_id) from tickets t
    full join ticket_recency n on (n.account_id, n.changed_in, n.ticket_id) = (t.account_id, t.changed_in, t.id)
    where (n.ticket_number, n.touched_at, n.folder, n.rank) is distinct from
      (t.number, t.updated_at, case when t.merged_into_id is not null then 'merged'
         when t.deleted_at is not null then 'deleted' when t.snoozed_until is not null then 'snoozed'
         when t.state in ('closed', 'spam') then t.state else 'open' end,
       coalesce(array_position(array['low', 'medium', 'high', 'urgent'], t.priority), 0))`;

/** Invariants of the rows: each statement finds the violations. */
const BROKEN: Readonly<Record<string, string>> = {
  'a ticket without a message': `
    select t.id from tickets t
    where t.merged_into_id is null and not exists (select 1 from messages m where m.ticket_id = t.id)`,
  'a merged ticket that was not deleted, or leads to another merged one': `
    select t.id from tickets t join tickets o on o.id = t.merged_into_id
    where t.deleted_at is null or o.merged_into_id is not null or o.account_id <> t.account_id`,
  'a ticket that counts its messages wrongly': `
    select t.id from tickets t
    where t.message_count <> (select count(*) from messages m where m.ticket_id = t.id)`,
  'a ticket number beyond the last': `
    select t.id from tickets t join accounts a on a.id = t.account_id where t.number > a.last_ticket_number`,
  'a ticket whose copy in ticket_recency differs': DIFFERENT_RECENCY,
  'a closed ticket without an agent who closed it, or an open one with one': `
    select id from tickets where (state = 'closed') <> (closed_by_id is not null)`,
  'a message of nobody, or of two': `
    select id from messages where num_nonnulls(author_agent_id, author_customer_id) <> 1`,
  'records of two accounts in one': `
    select m.id from messages m join tickets t on t.id = m.ticket_id where m.account_id <> t.account_id
    union all select t.id from tickets t join customers c on c.id = t.customer_id where c.account_id <> t.account_id
    union all select t.id from tickets t join agents a on a.id = t.assignee_id where a.account_id <> t.account_id
    union all select t.id from tickets t join mailboxes b on b.id = t.mailbox_id where b.account_id <> t.account_id
    union all select g.group_id from group_members g join agents a on a.id = g.agent_id where a.account_id <> g.account_id
    union all select x.id from attachments x join messages m on m.id = x.message_id where m.account_id <> x.account_id`,
  'an account without an owner': `
    select a.id from accounts a
    where not exists (select 1 from agents g where g.account_id = a.id and g.role = 'owner' and g.state <> 'archived')`,
  'a webhook without a secret': `
    select w.id from webhooks w where not exists (select 1 from webhook_secrets s where s.webhook_id = w.id and s.signs)`,
  'an event whose payload is no JSON object': `select id from events where payload is not json object`,
  'a token of a grant that is gone': `
    select grant_id::text from tokens t where not exists (select 1 from grants g where g.id = t.grant_id)`,
  'a session of an archived agent': `
    select s.id from sessions s join agents a on a.id = s.agent_id where a.state = 'archived'`,
};

export async function brokenInvariants(sql: PgClient): Promise<string[]> {
  const broken: string[] = [];
  for (const [what, statement] of Object.entries(BROKEN)) {
    const { rows } = await sql.query<{ id: string }>(`select * from (${statement}) as broken(id) limit 1`);
    if (rows[0]) broken.push(`in the database: ${what} (${rows[0].id})`);
  }
  return broken;
}
