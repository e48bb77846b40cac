import {
  type AccountConnection,
  accountStatement,
  columns,
  filter,
  hydrate,
  rangeOf,
  rowById,
  rowByKey,
} from '#libs/database';
import { Agent, Mailbox } from '#libs/entities';
import { messageOfMailId } from '../mail-ids.js';
import type { InboundMail } from './arrival.statements.js';
import type { IdentifiedMail } from './parse-mail.js';

export interface MailContext {
  readonly mailbox: Mailbox;
  /** Several of the flags below may be true. */
  readonly isAgent: boolean;
  readonly isMailbox: boolean;
  readonly isCustomer: boolean;
  readonly isDuplicate: boolean;
  readonly isOwn: boolean;
  /** Counts the last hour, up to MAX_COUNTED. */
  readonly startedTickets: number;
  readonly ticket: { readonly number: number } | null;
  /** The mail does not join it: it is deleted, or the sender takes no part in it. */
  readonly answered: { readonly number: number; readonly isDeleted: boolean } | null;
}

/** Bounds what a sender who reuses an id can make this read. */
const MAX_OF_ONE_ID = 1000;

const MAILS_WITH_ID = `select r.ticket_id from arrivals r
  where r.account_id = $1 and ${rangeOf('r.mail_id', 'a.mail_id')} and r.ticket_id is not null
  order by r.mail_id limit ${MAX_OF_ONE_ID}`;

/**
 * Finds tickets by a signed address, by received emails and by our messages. Ids are no secrets, so one allows nothing by
 * itself: our message’s counts for those to whom it was sent, and for an agent whose mail a person released.
 */
const ANSWERED_TICKETS = `select ticket_id, min(place) as place, bool_or(is_allowed) as is_allowed from (
    select 0 as place, x.id as ticket_id, true as is_allowed from (select * from tickets where account_id = $1 and number = $9) x
    union all
    select a.place, r.ticket_id, false from unnest($10::text[]) with ordinality a (mail_id, place)
      cross join lateral (${MAILS_WITH_ID}) r
    union all
    select a.place, s.ticket_id,
      s.author_agent_id is not null and $4 = any(s.to_addresses || s.cc_addresses) or exists (select from ${rowByKey('agents', 'email', '$4')} g)
    from unnest($11::uuid[]) with ordinality a (message_id, place)
      cross join lateral (select * from messages where id = a.message_id and account_id = $1 limit 1) s
  ) named group by ticket_id`;

const MAX_COUNTED = 100;

const STARTED_BY_SENDER = `select from arrivals r
  where r.account_id = $1 and ${rangeOf('r.sender', '$4')} and r.processed_at > $8
    and r.started_ticket and r.received_at is null
  order by r.sender, r.processed_at limit ${MAX_COUNTED}`;

/** Newest messages in which the sender is looked up. */
const MAX_MESSAGES_READ = 1000;

/**
 * To and Cc are claims, so a recipient takes part only in mail that also goes to the customer. Otherwise an attacker
 * could name the victim in the Cc of an email that the victim never gets, and would get the thread of the victim's next
 * mail.
 */
const takesPart = (ticket: string, email: string, mailedTo: string): string => {
  const customer = `(select id from ${rowByKey('customers', 'email', email)} one)`;
  const agent = `(select id from ${rowByKey('agents', 'email', email)} one)`;
  const mailsCustomer = `exists (select from customers c where c.id = ${ticket}.customer_id and c.email = any(${mailedTo}))`;
  return `(${ticket}.customer_id = ${customer} or exists (
    select from (select p.author_customer_id, p.author_agent_id, p.to_addresses || p.cc_addresses as recipients from messages p
      where p.ticket_id = ${ticket}.id order by p.id desc limit ${MAX_MESSAGES_READ}) p
    where (p.author_customer_id = ${customer} or p.author_agent_id = ${agent}
      or ${email} = any(p.recipients) and ${mailsCustomer})))`;
};

const FIND = accountStatement(
  'mail_context_find',
  `select ${columns(Mailbox, 'm')},
     exists (select from ${rowByKey('agents', 'email', '$4')} a) as "isAgent",
     exists (select from mailboxes where account_id = $1 and email = $4) as "isMailbox",
     exists (select from ${rowByKey('customers', 'email', '$4')} c) as "isCustomer",
     exists (select from arrivals r where r.mailbox_id = $2 and r.mail_id = $5 and r.content_hash = $6 and r.state <> 'duplicate'
       and ${filter('r.account_id = $1 and r.id <> $3')}) as "isDuplicate",
     exists (select from messages s where s.id = $7 and s.account_id = $1)
       or exists (select from ${rowById('outgoing_mails', '$7')} o where o.kind = 'agent_notice') as "isOwn",
     (select count(*)::int from (${STARTED_BY_SENDER}) r) as "startedTickets",
     answered.number, answered.deleted, answered.joins
   from mailboxes m
   left join lateral (
     select t.number, t.deleted_at is not null as deleted, one.joins from (${ANSWERED_TICKETS}) found
       cross join lateral (select * from ${rowById('tickets', 'found.ticket_id')} one limit 1) o
       cross join lateral (select * from ${rowById('tickets', 'coalesce(o.merged_into_id, o.id)')} one limit 1) t
       cross join lateral (select found.is_allowed or ${takesPart('t', '$4', '$12')} as joins) one
     order by (t.deleted_at is not null), one.joins desc, found.place, (t.mailbox_id = $2) desc, t.id limit 1
   ) answered on true
   where m.id = $2 and m.account_id = $1`,
);

/** One round trip. Ancestors are nearest first. */
export async function findContext(
  account: AccountConnection,
  { id, mailboxId }: InboundMail,
  { from, to, cc, mailId, contentHash, ancestors }: IdentifiedMail,
  { ticketNumber, startedSince }: { readonly ticketNumber: number | null; readonly startedSince: Date },
): Promise<MailContext> {
  const named = [ticketNumber, ancestors, ancestors.map((ancestor) => messageOfMailId(ancestor)), [...to, ...cc]];
  const mail = [from.address, mailId, contentHash, messageOfMailId(mailId)];
  const row = (await account.row(FIND, [mailboxId, id, ...mail, startedSince, ...named]))!;
  const { number, deleted: isDeleted, joins, ...facts } = row as unknown as AnsweredTicket & ContextFacts;
  const isJoined = joins && !isDeleted;
  const answered = number === null || isJoined ? null : { number, isDeleted };
  const ticket = number !== null && isJoined ? { number } : null;
  return { ...facts, mailbox: hydrate(Mailbox, row, 'm')!, ticket, answered };
}

type ContextFacts = Omit<MailContext, 'mailbox' | 'ticket' | 'answered'>;

/** Prefers one that the sender may join, then the nearest, then one in this mailbox; deleted ones come last. */
interface AnsweredTicket {
  readonly number: number | null;
  readonly deleted: boolean;
  readonly joins: boolean;
}

export const findActiveAgent = (account: AccountConnection, email: string): Promise<Agent | null> =>
  account.repository(Agent).findOne({ email, state: 'active' });

/** After a merge into the ticket of another customer, the answer would go to the wrong person. */
const FIND_ANSWERED_TICKET = accountStatement(
  'agent_answer_ticket',
  `select from ${rowByKey('tickets', 'number', '$2')} o
     join tickets t on t.id = coalesce(o.merged_into_id, o.id) and ${filter('t.account_id = $1')}
   where t.deleted_at is null and t.customer_id = o.customer_id`,
);

export async function isTicketLive(account: AccountConnection, number: number): Promise<boolean> {
  return (await account.row(FIND_ANSWERED_TICKET, [number])) !== undefined;
}

const FIND_BOUNCED_MAIL = accountStatement(
  'bounced_mail_find',
  `select s.id, s.ticket_id as "ticketId", t.number, o.recipient
   from (
     select coalesce(message_id, copy_of) as message_id, recipient from outgoing_mails
     where ${rangeOf('return_token', '$2')} and ${filter('account_id = $1')} order by return_token limit 1
   ) o left join messages s on s.id = o.message_id left join tickets t on t.id = s.ticket_id`,
);

export interface BouncedMessage {
  readonly id: string;
  readonly ticketId: string;
  readonly number: number;
  readonly recipient: string;
}

/** Undefined for an unknown token, and an id of null for an email that belongs to no message. */
export const findBouncedMail = (account: AccountConnection, token: string) =>
  account.row<BouncedMessage | { readonly id: null }>(FIND_BOUNCED_MAIL, [token]);
