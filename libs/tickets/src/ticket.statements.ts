import {
  type AccountConnection,
  type AccountTx,
  type SystemTx,
  accountStatement,
  columns,
  filter,
  hydrate,
  rangeOf,
  rowById,
  systemStatement,
  writtenColumns,
} from '#libs/database';
import { Agent, Customer, Group, LAST_TEXT_CHARACTERS, Mailbox, MergedTicket, NotFound, Ticket } from '#libs/entities';
import type { Actor } from '#libs/events';
import { loadInOrder } from '#libs/lists';

type Row = Record<string, unknown>;

const COLUMNS_OF_BOTH = [
  columns(Ticket, 't'),
  columns(Customer, 'c'),
  columns(Mailbox, 'm'),
  columns(Agent, 'a'),
  columns(Agent, 'b'),
  `left(s.plain_text_body, ${LAST_TEXT_CHARACTERS}) as last_message_text`,
  '(select number from tickets other where other.id = t.merged_into_id) as merged_into',
].join(', ');

const COLUMNS = `${COLUMNS_OF_BOTH}, ${columns(Group, 'g')}`;

/** Whether agent `$3`, who may be null, has not seen the newest message. Tickets that are done count as read. */
const UNREAD = `case when $3::uuid is null or t.deleted_at is not null or t.state in ('closed', 'spam') then false
  else coalesce((select n.author_agent_id is distinct from $3 and not exists (
    select from read_marks r where r.ticket_id = t.id and r.agent_id = $3 and r.message_id >= n.id
  ) from messages n where n.ticket_id = t.id order by n.id desc limit 1), false) end as unread`;

/** Without group members, of which a group has up to 500. With the last author, and what concerns agent `$3`. */
const COLUMNS_IN_LISTS = [
  COLUMNS_OF_BOTH,
  columns(Group, 'g', ['members']),
  `coalesce(nullif(trim(concat(l.first_name, ' ', l.last_name)), ''), l.email) as last_message_agent`,
  'exists (select from drafts d where d.agent_id = $3 and d.ticket_id = t.id) as has_draft',
  UNREAD,
].join(', ');

const POINTED_AT = `
  left join customers c on c.id = t.customer_id
  left join mailboxes m on m.id = t.mailbox_id
  left join agents a on a.id = t.assignee_id
  left join groups g on g.id = t.assigned_group_id
  left join agents b on b.id = t.closed_by_id
  left join lateral (
    select plain_text_body, author_agent_id from messages
    where ticket_id = t.id and not note order by id desc limit 1
  ) s on true`;

const READ = accountStatement(
  'ticket_read',
  `select ${COLUMNS} from (select * from tickets where account_id = $1 and number = $2) t ${POINTED_AT}`,
);

/** Locks before it joins: a join would use old versions of rows that were changed while it waited. */
const LOCKED = `with t as materialized (
    select * from tickets where account_id = $1 and number between $2 and $2 and (deleted_at is not null) = $3 and merged_into_id is null
    order by number limit 1 for no key update
  )`;
const LOCK = accountStatement('ticket_lock', `${LOCKED} select ${COLUMNS} from t ${POINTED_AT}`);

/** Applications belong to no account. */
export const applicationById = (id: string): string =>
  `(select jsonb_build_object('clientId', p.client_id, 'name', p.name) from applications p where p.id = ${id}) as application`;

const LOCK_WITH_ACTOR = accountStatement(
  'ticket_lock_with_actor',
  `${LOCKED} select ${COLUMNS}, ${columns(Agent, 'o')}, ${applicationById('$5')} from t ${POINTED_AT} left join ${rowById('agents', '$4')} o on true`,
);

const LOAD = accountStatement(
  'ticket_load',
  `select ${COLUMNS_IN_LISTS} from tickets t ${POINTED_AT} left join agents l on l.id = s.author_agent_id
   where t.account_id = $1 and t.id = any($2)`,
);

const OTHERS = accountStatement(
  'ticket_others',
  `select number, title, summary, state from tickets
   where account_id = $1 and ${rangeOf('customer_id', '$2')} and deleted_at is null
   order by customer_id desc, created_at desc, number desc limit 6`,
);

const FIXED = ['id', 'accountId', 'number', 'createdAt'] as const;
/** `$2` is the id of the ticket. */
export const TICKET_CHANGES = writtenColumns(Ticket, 3, FIXED);
export const SAVE_TICKET = `update tickets set ${TICKET_CHANGES.assignments} where id = $2 and ${filter('account_id = $1')}`;

const SAVE = accountStatement('ticket_save', SAVE_TICKET);

/** Includes deleted tickets until they are purged. */
export async function readTicket(connection: AccountConnection, number: number): Promise<Ticket> {
  const ticket = toTicket(await connection.row<Row>(READ, [number]));
  if (ticket.mergedInto !== null) throw new MergedTicket(ticket.number, ticket.mergedInto);
  return ticket;
}

/** Calls `use` with the number of the ticket that has the messages, if the number is that of a merged one. */
export async function followMerges<T>(number: number, use: (number: number) => Promise<T>): Promise<T> {
  try {
    return await use(number);
  } catch (error) {
    if (error instanceof MergedTicket) return followMerges(error.into, use);
    throw error;
  }
}

/** Locks the ticket until the transaction ends. Every action locks it first. */
export async function lockTicket(tx: AccountTx, number: number, where: 'live' | 'deleted' = 'live'): Promise<Ticket> {
  const row = await tx.row<Row>(LOCK, [number, where === 'deleted']);
  return wholeTicket(tx, toTicket(row ?? (await refuseAbsent(tx, number))));
}

async function refuseAbsent(tx: AccountTx, number: number): Promise<never> {
  await readTicket(tx, number);
  throw new NotFound('ticket');
}

/** Also reads the agent and the application that act, in the same statement. */
export async function lockTicketWithActor(tx: AccountTx, number: number, { agentId, applicationId }: Actor) {
  const found = await tx.row<Row>(LOCK_WITH_ACTOR, [number, false, agentId, applicationId]);
  const row = found ?? (await refuseAbsent(tx, number));
  const ticket = await wholeTicket(tx, toTicket(row));
  return { ticket, agent: hydrate(Agent, row, 'o'), application: row['application'] };
}

/** A row that a ticket refers to can be newer than the snapshot of the statement that waited; reading again sees it. */
const wholeTicket = (tx: AccountTx, ticket: Ticket): Ticket | Promise<Ticket> =>
  isWhole(ticket) ? ticket : readTicket(tx, ticket.number);

export interface ListedTicket extends Ticket {
  readonly lastMessageAgent: string | null;
  readonly hasDraft: boolean;
  /** For the agent whose drafts were read. */
  readonly unread: boolean;
}

export const loadTickets = (connection: AccountConnection, ids: readonly string[], draftsOf: string | null = null) =>
  loadInOrder(connection, LOAD, ids, toListedTicket, [draftsOf]);

export type OtherTicket = Pick<Ticket, 'number' | 'title' | 'summary' | 'state'>;

export async function readOthers(
  connection: AccountConnection,
  { customerId, number }: Pick<Ticket, 'customerId' | 'number'>,
): Promise<OtherTicket[]> {
  const tickets = await connection.rows<OtherTicket>(OTHERS, [customerId]);
  return tickets.filter((other) => other.number !== number);
}

export async function saveTicket(tx: AccountTx, ticket: Ticket): Promise<void> {
  tx.send(SAVE, [ticket.id, ...TICKET_CHANGES.values(ticket)]);
}

function toTicket(row: Row | undefined): Ticket {
  const ticket = row && hydrate(Ticket, row, 't');
  if (!ticket) throw new NotFound('ticket');
  return Object.assign(ticket, {
    customer: hydrate(Customer, row, 'c'),
    mailbox: hydrate(Mailbox, row, 'm'),
    assignee: hydrate(Agent, row, 'a'),
    assignedGroup: hydrate(Group, row, 'g'),
    closedBy: hydrate(Agent, row, 'b'),
    lastMessageText: row['last_message_text'],
    mergedInto: row['merged_into'],
  });
}

const toListedTicket = (row: Row): ListedTicket =>
  Object.assign(toTicket(row), {
    lastMessageAgent: row['last_message_agent'] as string | null,
    hasDraft: row['has_draft'] as boolean,
    unread: row['unread'] as boolean,
  });

/** The types say these are never null, because only the lock above sees such a ticket. */
function isWhole(ticket: Ticket): boolean {
  const { mailbox, customer } = ticket as { mailbox: Mailbox | null; customer: Customer | null };
  return (
    mailbox !== null &&
    customer !== null &&
    ticket.assignee?.id === (ticket.assigneeId ?? undefined) &&
    ticket.assignedGroup?.id === (ticket.assignedGroupId ?? undefined) &&
    ticket.closedBy?.id === (ticket.closedById ?? undefined)
  );
}

/** Not flushed to disk: the commit of the ticket flushes everything before it, so no ticket outlives its number. */
const NEXT_TICKET_NUMBER = accountStatement(
  'ticket_next_number',
  `with quick as (select set_config('synchronous_commit', 'off', true))
   update accounts set last_ticket_number = last_ticket_number + 1 from quick where id = $1
   returning last_ticket_number as number`,
);

/** Committed on its own, so that new tickets of an account do not wait for each other's transaction. */
export async function nextTicketNumber(account: AccountConnection): Promise<number> {
  return (await account.row<{ number: number }>(NEXT_TICKET_NUMBER))!.number;
}

/** Spam stays spam. A deleted ticket only loses its snooze. */
const WAKE_TICKETS = systemStatement(
  'tickets_wake',
  'Snoozed tickets of every account wake up when their time has come',
  `update tickets t set (snoozed_until, updated_at, closed_by_id, resolution_time, state) = (
     select null::timestamptz, $1::timestamptz, null::uuid, null::integer, 'unread' where t.deleted_at is null and t.state <> 'spam'
     union all
     select null, t.updated_at, t.closed_by_id, t.resolution_time, t.state where t.deleted_at is not null or t.state = 'spam')
   where t.ctid = any(array(
     select ctid from tickets where snoozed_until <= $1 order by snoozed_until limit $2 for update skip locked))
   returning t.id, t.account_id as "accountId", t.number, t.deleted_at is null as live`,
);

type WokenTicket = Pick<Ticket, 'id' | 'accountId' | 'number'> & { readonly live: boolean };

export const wakeTickets = (tx: SystemTx, now: Date, limit: number): Promise<WokenTicket[]> =>
  tx.rows<WokenTicket>(WAKE_TICKETS, [now, limit]);

const PURGE_TICKETS = systemStatement(
  'deleted_tickets_purge',
  'Upkeep purges the folder of the deleted in every account',
  `with purged as (
     delete from tickets where ctid = any(array(
       select ctid from tickets where deleted_at < $1 and merged_into_id is null order by deleted_at limit $2
       for update skip locked))
     returning id, account_id
   )
   select id, account_id as "accountId" from purged
   union all select m.id, m.account_id from tickets m join purged on m.merged_into_id = purged.id`,
);

type PurgedTicket = Pick<Ticket, 'id' | 'accountId'>;

export const purgeTickets = (tx: SystemTx, deletedBefore: Date, limit: number): Promise<PurgedTicket[]> =>
  tx.rows<PurgedTicket>(PURGE_TICKETS, [deletedBefore, limit]);
