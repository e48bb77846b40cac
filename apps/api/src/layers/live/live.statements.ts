import { type AccountConnection, type AccountStatement, accountStatement, rangeOf } from '#libs/database';
import { LATEST_CHANGE } from '#libs/tickets';
import { LATEST_EVENT } from '#libs/webhooks';

export type Topic =
  | { readonly kind: 'tickets' }
  | { readonly kind: 'ticket'; readonly number: number }
  | { readonly kind: 'presence'; readonly number: number }
  | { readonly kind: 'deliveries' }
  | { readonly kind: 'webhook' | 'mailbox'; readonly id: string }
  | { readonly kind: 'changes' | 'events' };

const MAX_MESSAGES = 20;

/** Activities commit out of order. One that commits after this many newer ones is missed. */
const MAX_TICKET_ACTIVITIES = 50;
const MAX_ACTIVITIES = 200;

// One statement for each kind of topic: PostgreSQL would plan a combined one on every execution.

const TICKETS = accountStatement(
  'live_tickets',
  `select 'tickets' as topic, md5(string_agg(a.id::text, ' ' order by a.id)) as fingerprint from (
     select id from activities where ${rangeOf('account_id', '$1')} order by account_id desc, id desc limit ${MAX_ACTIVITIES}
   ) a`,
);

const newestMessages = `select id from messages where ${rangeOf('ticket_id', 't.id')} order by ticket_id desc, id desc limit ${MAX_MESSAGES}`;

const ticketsIn = (tickets: string, numbers: string): string =>
  `select 'ticket=' || t.number as topic, concat_ws(' ', t.merged_into_id, (
     select md5(string_agg(a.id::text, ' ' order by a.id)) from (
       select id from activities where ${rangeOf('ticket_id', 't.id')} order by ticket_id desc, id desc limit ${MAX_TICKET_ACTIVITIES}
     ) a
   ), (
     select string_agg(o.state, ' ' order by s.id) from (${newestMessages}) s join outgoing_mails o on o.message_id = s.id
   ), (
     select string_agg(o.state, ' ' order by o.id) from (${newestMessages}) s join outgoing_mails o on o.copy_of = s.id
   ), (
     select string_agg(h.id::text, ' ' order by h.id) from held_replies h where h.ticket_id = t.id
   )) as fingerprint
   from ${tickets}
   union all
   select 'presence=' || ticket_number,
     string_agg(concat_ws(' ', agent_id, coalesce(replying_until > $3, false)), ',' order by agent_id)
   from presences where account_id = $1 and ticket_number = ${numbers} and viewing_until > $3
   group by ticket_number`;

/** A list of numbers would be planned on every execution. Most accounts have one ticket open. */
const ONE_TICKET = accountStatement(
  'live_ticket',
  ticketsIn(`(select * from tickets where account_id = $1 and number = $2::integer) t`, '$2::integer'),
);
const SOME_TICKETS = accountStatement(
  'live_some_tickets',
  ticketsIn(
    `unnest($2::integer[]) wanted (number) cross join lateral (select * from tickets where account_id = $1 and number = wanted.number) t`,
    'any($2::integer[])',
  ),
);

const WEBHOOK = accountStatement(
  'live_webhook',
  `select 'webhook=' || w.id as topic, (
     select md5(string_agg(concat_ws(' ', d.id, d.state, d.attempts, d.next_attempt_at), ',' order by d.id))
     from (
       select * from deliveries where account_id = $1 and webhook_id = w.id order by id desc limit 30
     ) d
   ) as fingerprint from unnest($2::uuid[]) w (id)`,
);

const DELIVERIES = accountStatement(
  'live_deliveries',
  `select 'deliveries' as topic,
     md5(string_agg(concat_ws(' ', w.id, w.state, w.failing_since, last.id, last.state, r.id, r.redelivered), ',' order by w.id))
     as fingerprint
   from webhooks w left join lateral (
     select id, state from deliveries d where ${rangeOf('d.webhook_id', 'w.id')} order by d.webhook_id desc, d.id desc limit 1
   ) last on true left join replays r on r.account_id = $1 and r.webhook_id = w.id and r.finished_at is null
   where w.account_id = $1`,
);

const MAILBOX = accountStatement(
  'live_mailbox',
  `select 'mailbox=' || m.id as topic,
     concat_ws(' ', t.mail_id, t.arrived_at, (select state from outgoing_mails o where o.id = t.mail_id),
       i.paused, i.connected_at, i.failing_since, i.last_error, x.started_at, x.total, x.done, x.ended_at, x.last_error)
     as fingerprint
   from mailboxes m left join mailbox_tests t on t.id = m.id left join imap_accounts i on i.id = m.id
     left join imap_imports x on x.id = m.id
   where m.account_id = $1 and m.id = any($2::uuid[])`,
);

const CHANGES_COMMITTED = accountStatement(
  'live_changes',
  `select 'changes' as topic, ${LATEST_CHANGE}::text as fingerprint`,
);

const EVENTS_COMMITTED = accountStatement('live_events', `select 'events' as topic, ${LATEST_EVENT} as fingerprint`);

/** Round trips: one for each kind of topic, in parallel. */
export async function readFingerprints(
  account: AccountConnection,
  topics: readonly Topic[],
  now: Date,
): Promise<Map<string, string>> {
  const read = ([statement, values]: Query) =>
    account.rows<{ topic: string; fingerprint: string | null }>(statement, values);
  const rows = await Promise.all(queriesFor(topics, now).map(read));
  return new Map(rows.flat().map(({ topic, fingerprint }) => [topic, fingerprint ?? '']));
}

type Query = readonly [AccountStatement, unknown[]];

function queriesFor(topics: readonly Topic[], now: Date): Query[] {
  const kinds = new Set(topics.map(({ kind }) => kind));
  const numbers = [...new Set(topics.flatMap((topic) => ('number' in topic ? [topic.number] : [])))];
  const idsOf = (kind: Topic['kind']) => [
    ...new Set(topics.flatMap((topic) => ('id' in topic && topic.kind === kind ? [topic.id] : []))),
  ];
  const queries: Query[] = [];
  if (kinds.has('tickets')) queries.push([TICKETS, []]);
  if (numbers.length === 1) queries.push([ONE_TICKET, [numbers[0], now]]);
  if (numbers.length > 1) queries.push([SOME_TICKETS, [numbers, now]]);
  if (kinds.has('webhook')) queries.push([WEBHOOK, [idsOf('webhook')]]);
  if (kinds.has('deliveries')) queries.push([DELIVERIES, []]);
  if (kinds.has('mailbox')) queries.push([MAILBOX, [idsOf('mailbox')]]);
  if (kinds.has('changes')) queries.push([CHANGES_COMMITTED, []]);
  if (kinds.has('events')) queries.push([EVENTS_COMMITTED, []]);
  return queries;
}

/** Also deletes expired presences. */
export const ENTER_PRESENCE = accountStatement(
  'presence_enter',
  `with gone as (
     delete from presences where account_id = $1 and viewing_until < $5 and (ticket_number, agent_id) <> ($2, $3)
   )
   insert into presences (account_id, ticket_number, agent_id, viewing_until) values ($1, $2, $3, $4)
   on conflict (account_id, ticket_number, agent_id) do update set viewing_until = excluded.viewing_until`,
);

export const SET_REPLYING = accountStatement(
  'presence_set_replying',
  'update presences set replying_until = $4 where account_id = $1 and ticket_number = $2 and agent_id = $3',
);

export const LEAVE_PRESENCE = accountStatement(
  'presence_leave',
  'delete from presences where account_id = $1 and ticket_number = $2 and agent_id = $3',
);

export const LIST_PRESENCES = accountStatement(
  'presence_list',
  `select p.agent_id as "agentId", trim(a.first_name || ' ' || a.last_name) as name,
     case when p.replying_until > $3 then 'replying' else 'viewing' end as doing
   from presences p join agents a on a.id = p.agent_id
   where p.account_id = $1 and p.ticket_number = $2 and p.viewing_until > $3 order by p.agent_id`,
);
