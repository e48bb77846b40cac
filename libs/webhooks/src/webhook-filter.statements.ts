import { type AccountConnection, accountStatement, arraysOf } from '#libs/database';
import type { FilteredTicket, NamedRecord } from '#libs/filters';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';

const UNKNOWN_NAME = accountStatement(
  'webhook_filter_unknown_name',
  `select * from unnest($2::text[], $3::text[]) as named (operator, name) where not case operator
     when 'mailbox' then exists (select from mailboxes m where m.account_id = $1 and lower(named.name) in (lower(m.name), m.id::text))
     when 'group' then exists (select from groups g where g.account_id = $1 and lower(named.name) = lower(g.name))
     else exists (select from agents a where a.account_id = $1 and a.email = lower(named.name)) end
   limit 1`,
);

export const findUnknownName = (
  connection: AccountConnection,
  names: readonly NamedRecord[],
): Promise<NamedRecord | undefined> => connection.row(UNKNOWN_NAME, arraysOf(names, 'operator', 'name'));

const MAX_EVENTS = 1_000;

/** The newest activities of an account, among which events of a rare kind are searched. */
const MAX_SCANNED = 50_000;

/** Activities name the ticket of an event, and leave out test events. */
const RECENT = `recent as materialized (
  select id, ticket_id from (
    select id, ticket_id, kind from activities where account_id = $1 order by id desc limit ${MAX_SCANNED}) newest
  where kind = $2 order by id desc limit ${MAX_EVENTS})`;

/** As the payload shows the ticket. */
const OF_TICKETS = accountStatement(
  'webhook_filter_tickets_of_events',
  `with ${RECENT}
   select t.state, t.priority, t.tags, t.mailbox, t.mailbox_id as "mailboxId", t.assignee, t.assigned_group as "group"
   from recent join events e on e.account_id = $1 and e.id = recent.id
     cross join json_to_record(e.payload::json) as t (
       state text, priority text, tags text[], mailbox text, mailbox_id text, assignee text, assigned_group text)`,
);

/** As the ticket is now, because a message does not show it. */
const OF_MESSAGES = accountStatement(
  'webhook_filter_tickets_of_messages',
  `with ${RECENT}
   select t.state, t.priority, t.tags, m.name as mailbox, m.id as "mailboxId", a.email as assignee, g.name as "group"
   from recent join tickets t on t.account_id = $1 and t.id = recent.ticket_id join mailboxes m on m.id = t.mailbox_id
     left join agents a on a.id = t.assignee_id left join groups g on g.id = t.assigned_group_id`,
);

export const loadTicketsOfEvents = (account: AccountConnection, event: EventKind): Promise<FilteredTicket[]> =>
  account.rows(EVENT_KINDS[event].record === 'Ticket' ? OF_TICKETS : OF_MESSAGES, [event]);
