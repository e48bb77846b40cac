import { type AccountConnection, accountStatement, arraysOf, filter, rangeOf } from '#libs/database';
import type { FilterTerm, FilteredTicket } from '#libs/filters';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';

const UNKNOWN_NAME = accountStatement(
  'webhook_filter_unknown_name',
  `select text from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as written (text, operator, name, term),
     lateral (select lower(normalize(trim(written.name))) as value) v
   where term not like '%:' and not case operator
     when 'mailbox' then exists (select from mailboxes where account_id = $1 and value in (lower(normalize(name)), id::text))
     when 'group' then exists (select from groups where account_id = $1 and value = lower(normalize(name)))
     when 'assignee' then exists (select from agents where account_id = $1 and email = value)
     else true end
   limit 1`,
);

export const findUnknownName = async (connection: AccountConnection, terms: readonly FilterTerm[]) =>
  (await connection.row<FilterTerm>(UNKNOWN_NAME, arraysOf(terms, 'text', 'operator', 'value', 'term')))?.text;

const MAX_EVENTS = 1_000;

/** The newest activities of an account, among which events of a rare kind are searched. */
const MAX_SCANNED = 50_000;

/** Activities name the ticket of an event, and leave out test events. */
const ticketsOf = (tickets: string): string => `
  select t.state, t.priority, t.tags, json_build_object('id', mailbox_id, 'name', mailbox) as mailbox,
    json_build_object('email', assignee) as assignee, json_build_object('name', assigned_group) as "assignedGroup"
  from (
    select id, ticket_id from (
      select id, ticket_id, kind from activities where ${rangeOf('account_id', '$1')}
      order by account_id desc, id desc limit ${MAX_SCANNED}) newest
    where kind = $2 order by id desc limit ${MAX_EVENTS}) recent ${tickets}`;

/** As the payload shows the ticket. */
const OF_TICKETS = accountStatement(
  'webhook_filter_tickets_of_events',
  ticketsOf(`join events e on e.id = recent.id and ${filter('e.account_id = $1')} cross join json_to_record(e.payload::json) as t (
    state text, priority text, tags text[], mailbox text, mailbox_id text, assignee text, assigned_group text)`),
);

/** As the ticket is now, because a message does not show it. */
const OF_MESSAGES = accountStatement(
  'webhook_filter_tickets_of_messages',
  ticketsOf(`join tickets t on t.id = recent.ticket_id and ${filter('t.account_id = $1')} cross join lateral (select
    (select name from mailboxes where id = t.mailbox_id) as mailbox,
    (select email from agents where id = t.assignee_id) as assignee,
    (select name from groups where id = t.assigned_group_id) as assigned_group) named`),
);

export const loadTicketsOfEvents = (connection: AccountConnection, event: string): Promise<FilteredTicket[]> =>
  connection.rows(EVENT_KINDS[event as EventKind].record === 'Ticket' ? OF_TICKETS : OF_MESSAGES, [event]);
