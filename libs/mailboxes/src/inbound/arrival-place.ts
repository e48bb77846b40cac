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
import { Mailbox } from '#libs/entities';
import type { ClaimedArrival } from './arrival.statements.js';
import { messageOfMailId } from '../outbound/own-mail-ids.js';
import { takesPart } from './ticket-participants.js';

/** What of an account a mail has to do with. */
export interface ArrivalPlace {
  readonly mailbox: Mailbox;
  /** The sender’s address is that of an agent, of a mailbox, or of a customer. */
  readonly isAgent: boolean;
  readonly isMailbox: boolean;
  readonly isCustomer: boolean;
  /** The same mail came before. */
  readonly isRepeated: boolean;
  /** It is a mail of ours that came back. */
  readonly isOwn: boolean;
  /** Tickets that mail of this sender started within the hour, of which a hundred count. */
  readonly startedTickets: number;
  /** The ticket that the mail joins. */
  readonly ticket: { readonly number: number } | null;
  /** The ticket that the mail answers without joining, because it is deleted or the sender takes no part in it. */
  readonly answered: { readonly number: number; readonly isDeleted: boolean } | null;
}

/** One mail comes to a few mailboxes. Strangers may give theirs its id, and cannot make this read all of them. */
const MAX_OF_ONE_ID = 1000;

const MAILS_WITH_ID = `select r.ticket_id from arrivals r
  where r.account_id = $1 and ${rangeOf('r.mail_id', 'a.mail_id')} and ${filter('r.ticket_id is not null')}
  order by r.mail_id limit ${MAX_OF_ONE_ID}`;

/**
 * Finds tickets by a signed address, by received mails and by our own messages. The id of our own message is only known
 * from its mail, which has the signed address. A received mail can have any id: an attacker may have sent a newsletter’s.
 */
const ANSWERED_TICKETS = `select ticket_id, min(place) as place, bool_or(is_ours) as is_ours from (
    select 0 as place, x.id as ticket_id, true as is_ours from ${rowByKey('tickets', 'number', '$9')} x
    union all
    select a.place, r.ticket_id, false from unnest($10::text[]) with ordinality a (mail_id, place)
      cross join lateral (${MAILS_WITH_ID}) r
    union all
    select a.place, s.ticket_id, true from unnest($11::uuid[]) with ordinality a (message_id, place)
      cross join lateral (select * from ${rowById('messages', 'a.message_id')} one limit 1) s
  ) named group by ticket_id`;

const MAX_COUNTED = 100;

const STARTED_BY_SENDER = `select from arrivals r
  where r.account_id = $1 and ${rangeOf('r.sender', '$4')} and r.understood_at > $8
    and ${filter('r.started_ticket and r.received_at is null')}
  order by r.sender, r.understood_at limit ${MAX_COUNTED}`;

const FIND = accountStatement(
  'arrival_place',
  `select ${columns(Mailbox, 'm')},
     exists (select from ${rowByKey('agents', 'email', '$4')} a) as "isAgent",
     exists (select from ${rowByKey('mailboxes', 'email', '$4')} b) as "isMailbox",
     exists (select from ${rowByKey('customers', 'email', '$4')} c) as "isCustomer",
     exists (select from arrivals r where r.mailbox_id = $2 and r.mail_id = $5 and r.content_hash = $6 and r.state <> 'repeated'
       and ${filter('r.account_id = $1 and r.id <> $3')}) as "isRepeated",
     exists (select from messages s where s.id = $7 and ${filter('s.account_id = $1')})
       or exists (select from ${rowById('outgoing_mails', '$7')} o where o.kind = 'agent_notice') as "isOwn",
     (select count(*)::int from (${STARTED_BY_SENDER}) r) as "startedTickets",
     answered.number, answered.deleted, answered.joins
   from mailboxes m
   left join lateral (
     select t.number, t.deleted_at is not null as deleted, one.joins from (${ANSWERED_TICKETS}) found
       cross join lateral (select * from ${rowById('tickets', 'found.ticket_id')} one limit 1) t
       cross join lateral (select found.is_ours or ${takesPart('t', '$4', '$12')} as joins) one
     order by (t.deleted_at is not null), one.joins desc, found.place, (t.mailbox_id = $2) desc, t.id limit 1
   ) answered on true
   where m.id = $2 and ${filter('m.account_id = $1')}`,
);

export interface WantedPlace {
  readonly sender: string;
  readonly mailId: string;
  readonly contentHash: string;
  readonly ancestors: readonly string[];
  /** To and Cc. */
  readonly mailedTo: readonly string[];
  /** What a signed address of ours names. */
  readonly ticketNumber: number | null;
  readonly startedSince: Date;
}

/** One round trip. */
export async function findPlace(
  account: AccountConnection,
  { id, mailboxId }: ClaimedArrival,
  { sender, mailId, contentHash, ancestors, mailedTo, ticketNumber, startedSince }: WantedPlace,
): Promise<ArrivalPlace> {
  const row = (await account.row(FIND, [
    mailboxId,
    id,
    sender,
    mailId,
    contentHash,
    messageOfMailId(mailId),
    startedSince,
    ticketNumber,
    ancestors,
    ancestors.map((ancestor) => messageOfMailId(ancestor)),
    mailedTo,
  ]))!;
  const { number, deleted: isDeleted, joins, ...facts } = row as unknown as AnsweredTicket & PlaceFacts;
  const isJoined = joins && !isDeleted;
  const answered = number === null || isJoined ? null : { number, isDeleted };
  const ticket = number !== null && isJoined ? { number } : null;
  return { ...facts, mailbox: hydrate(Mailbox, row, 'm')!, ticket, answered };
}

type PlaceFacts = Omit<ArrivalPlace, 'mailbox' | 'ticket' | 'answered'>;

/** A candidate. One that the sender may join is preferred, then the nearest, then one of the mailbox; a deleted one comes last. */
interface AnsweredTicket {
  readonly number: number | null;
  readonly deleted: boolean;
  readonly joins: boolean;
}
