import { type AccountConnection, accountStatement, columns, filter, hydrate, rowById, rowByKey } from '#libs/database';
import { Mailbox } from '#libs/entities';
import type { ClaimedArrival } from './arrival.statements.js';
import { messageOfMailId } from './own-mail-ids.js';

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
  /** Tickets that mail of this sender started within the hour. */
  readonly startedTickets: number;
  /** The ticket that it answers: one that is there before one that is deleted, then the nearest, then one of the mailbox. */
  readonly ticket: { readonly number: number; readonly isDeleted: boolean } | null;
}

const FIND = accountStatement(
  'arrival_place',
  `select ${columns(Mailbox, 'm')},
     exists (select from ${rowByKey('agents', 'email', '$4')} a) as "isAgent",
     exists (select from ${rowByKey('mailboxes', 'email', '$4')} b) as "isMailbox",
     exists (select from ${rowByKey('customers', 'email', '$4')} c) as "isCustomer",
     exists (select from arrivals r where r.account_id = $1 and r.mailbox_id = $2 and r.mail_id = $5 and r.content_hash = $6
       and r.id <> $3 and r.state <> 'repeated') as "isRepeated",
     exists (select from messages s where s.id = $7 and ${filter('s.account_id = $1')})
       or exists (select from ${rowById('outgoing_mails', '$7')} o where o.kind = 'agent_notice') as "isOwn",
     (select count(*)::int from arrivals r where r.account_id = $1 and r.sender = $4 and r.understood_at > $8
       and r.started_ticket and r.received_at is null) as "startedTickets",
     answered.number, answered.deleted
   from mailboxes m
   left join lateral (
     select t.number, t.deleted_at is not null as deleted from (
       select 0 as place, x.id as ticket_id from ${rowByKey('tickets', 'number', '$9')} x
       union all
       select a.place, r.ticket_id from unnest($10::text[]) with ordinality a (mail_id, place)
         join arrivals r on r.account_id = $1 and r.mail_id = a.mail_id
       union all
       select a.place, s.ticket_id from unnest($11::uuid[]) with ordinality a (message_id, place)
         join messages s on s.account_id = $1 and s.id = a.message_id
     ) found join tickets t on t.account_id = $1 and t.id = found.ticket_id
     order by (t.deleted_at is not null), found.place, (t.mailbox_id = $2) desc, t.id limit 1
   ) answered on true
   where m.id = $2 and ${filter('m.account_id = $1')}`,
);

export interface WantedPlace {
  readonly sender: string;
  readonly mailId: string;
  readonly contentHash: string;
  readonly ancestors: readonly string[];
  /** What a signed address of ours names. */
  readonly ticketNumber: number | null;
  readonly startedSince: Date;
}

/** One round trip. */
export async function findPlace(
  account: AccountConnection,
  { id, mailboxId }: ClaimedArrival,
  { sender, mailId, contentHash, ancestors, ticketNumber, startedSince }: WantedPlace,
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
  ]))!;
  const { number, deleted, ...facts } = row as { number: number | null; deleted: boolean } & Omit<
    ArrivalPlace,
    'mailbox'
  >;
  const ticket = number === null ? null : { number, isDeleted: deleted };
  return { ...facts, mailbox: hydrate(Mailbox, row, 'm')!, ticket };
}
