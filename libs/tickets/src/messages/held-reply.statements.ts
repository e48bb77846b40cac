import {
  type AccountConnection,
  type AccountTx,
  type SystemConnection,
  accountStatement,
  columns,
  filter,
  hydrate,
  isUuid,
  systemStatement,
} from '#libs/database';
import { Agent, type Attachment, Conflict, type Draft, HeldReply, manages } from '#libs/entities';
import type { NewTicket } from '../new-ticket.statements.js';
import type { RequestContext } from '../request-context.js';
import { FIRST_REVISION, type TakenFile, attachmentsOf } from './draft.statements.js';

const HELD_IDS = accountStatement(
  'held_reply_ids',
  'select id, agent_id as "agentId", due_at as "dueAt" from held_replies where account_id = $1 and ticket_id = $2 order by id',
);

export const listHeldIds = (
  tx: AccountTx,
  ticketId: string,
): Promise<Pick<WaitingReply, 'id' | 'agentId' | 'dueAt'>[]> => tx.rows(HELD_IDS, [ticketId]);

/** Whether the customer has written since a reply was scheduled. */
const IS_OVERTAKEN = (held: string): string => `(${held}.scheduled_at is not null and exists (
  select from messages m
  where m.ticket_id = ${held}.ticket_id and ${held}.scheduled_at < m.created_at and m.author_customer_id is not null and not exists (
    select from activities x where x.ticket_id = m.ticket_id and x.kind in ('automatic_mail_came', 'older_mail_came')
      and x.detail->>'message' = m.id::text
  )
)) as "isOvertaken"`;

const LISTED = `select ${columns(HeldReply, 'h')}, ${columns(Agent, 'a')}, t.number, t.title, c.email as customer, ${IS_OVERTAKEN('h')} from held_replies h
  join tickets t on t.id = h.ticket_id join customers c on c.id = t.customer_id join agents a on a.id = h.agent_id`;

const LIST = accountStatement(
  'held_reply_list',
  `${LISTED} where h.account_id = $1 and t.number = $2 order by h.id limit 20`,
);

const LIST_SCHEDULED = accountStatement(
  'held_reply_list_scheduled',
  `${LISTED} where h.account_id = $1 and h.scheduled_at is not null and ${filter('(h.agent_id = $2 or $3)')}
   order by h.due_at, h.id limit 200`,
);

const DUE_REPLIES = systemStatement(
  'held_reply_due',
  'Replies of every account wait here',
  `select h.id, h.account_id as "accountId", h.agent_id as "agentId", h.application_id as "applicationId", h.origin, a.role, a.state = 'archived' as "isArchived", t.number, h.new_ticket as "newTicket", h.body,
     h.cc_addresses as cc, h.then_change as "thenChange", h.due_at as "dueAt"
   from held_replies h join agents a on a.id = h.agent_id left join tickets t on t.id = h.ticket_id
   where h.due_at <= $1
     and not exists (select from held_replies e where e.ticket_id = h.ticket_id and e.id < h.id
       and (e.scheduled_at is null or e.due_at <= $1))
   order by h.due_at, h.id limit 20`,
);

/** Reads its files before they are deleted with it. */
const TAKE = accountStatement(
  'held_reply_take',
  `with gone as (
     delete from held_replies where account_id = $1 and id = $2 and ${filter('agent_id = $3 and (due_at is null) = $4')}
     returning id, ticket_id, scheduled_at
   ), files as (
     delete from draft_files f using gone where f.account_id = $1 and f.held_reply_id = gone.id
     returning f.id, f.name, f.content_type as "contentType", f.size
   )
   select ${IS_OVERTAKEN('gone')}, coalesce((select jsonb_agg(files order by files.id) from files), '[]') as files from gone`,
);

/** Waits for a merge of the ticket first, so that the draft goes to the ticket that stays. */
const LOCK = accountStatement(
  'held_reply_lock',
  `with t as materialized (
     select id, number from tickets where id = (select ticket_id from held_replies where account_id = $1 and id = $3) for key share
   )
   select h.agent_id as "agentId", h.ticket_id as "ticketId", t.number, h.due_at as "dueAt", h.scheduled_at is not null as "isScheduled",
     coalesce(nullif(trim(concat(a.first_name, ' ', a.last_name)), ''), a.email) as author
   from held_replies h cross join t join agents a on a.id = h.agent_id
   where h.account_id = $1 and ${filter('(h.agent_id = $2 or (h.scheduled_at is not null and $4))')} and h.id = $3 for update of h`,
);

export const LIST_UNSENT = accountStatement(
  'held_ticket_list_unsent',
  `select h.id, h.new_ticket as "newTicket", coalesce((select jsonb_agg(f order by f.id) from draft_files f where f.held_reply_id = h.id), '[]') as files
   from held_replies h where h.account_id = $1 and h.agent_id = $2 and h.due_at is null order by h.id desc limit 20`,
);

export const UNDO_TICKET = accountStatement(
  'held_ticket_undo',
  `update held_replies set due_at = null
   where account_id = $1 and id = $2 and ${filter('agent_id = $3 and ticket_id is null and due_at is not null')} returning id`,
);

/** The agent cannot undo any more, so what only waits for that goes out now. Unsent tickets go as drafts do. */
const SEND_OF_AGENT = accountStatement(
  'held_reply_send_of_agent',
  `with unsent as (delete from held_replies where account_id = $1 and agent_id = $2 and due_at is null)
   update held_replies set due_at = $3
   where account_id = $1 and agent_id = $2 and due_at is not null and scheduled_at is null`,
);

/** A note stays a note: internal text must not go to a customer. */
const TO_DRAFT = accountStatement(
  'held_reply_to_draft',
  `with draft as (
     insert into drafts as d
       (account_id, id, agent_id, ticket_id, note, body, cc_addresses, removed_cc, saved_reply_id, after_sending, writer, revision, updated_at)
     select $1, $3, $5, h.ticket_id, false, h.body, h.cc_addresses,
       array(select unnest(t.cc_addresses) except select unnest(h.cc_addresses)), h.saved_reply_id, h.after_sending, '', ${FIRST_REVISION}, $4
     from held_replies h join tickets t on t.id = h.ticket_id where h.account_id = $1 and h.id = $2
     on conflict (agent_id, ticket_id) do update
       set body = concat_ws(E'\\n\\n', excluded.body, nullif(d.body, '')), cc_addresses = excluded.cc_addresses,
         removed_cc = excluded.removed_cc, writer = '', saved_reply_id = coalesce(excluded.saved_reply_id, d.saved_reply_id), revision = d.revision + 1,
         updated_at = excluded.updated_at
     returning id, note
   ), files as (
     update draft_files f set draft_id = draft.id, held_reply_id = null from draft
     where f.account_id = $1 and f.held_reply_id = $2
   )
   select note from draft`,
);

export type WaitingReply = HeldReply & { readonly dueAt: Date };
export interface HeldReplyOfAgent extends WaitingReply {
  readonly agent: Agent;
  readonly ticket: { readonly number: number; readonly title: string | null; readonly customer: string };
  readonly isOvertaken: boolean;
}

type ListedReply = HeldReplyOfAgent['ticket'] &
  Pick<HeldReplyOfAgent, 'isOvertaken'> &
  Readonly<Record<string, unknown>>;

export async function listHeld(connection: AccountConnection, { agentId, role }: RequestContext, number?: number) {
  const rows = await (number === undefined
    ? connection.rows<ListedReply>(LIST_SCHEDULED, [agentId, manages(role)])
    : connection.rows<ListedReply>(LIST, [number]));
  return rows.map((row): HeldReplyOfAgent =>
    Object.assign(hydrate(HeldReply, row, 'h')! as WaitingReply, {
      agent: hydrate(Agent, row, 'a')!,
      ticket: row,
      isOvertaken: row.isOvertaken,
    }),
  );
}

export interface DueReply extends Omit<WaitingReply, 'ticketId' | 'newTicket' | 'ccAddresses' | 'afterSending'> {
  readonly role: Agent['role'];
  readonly isArchived: boolean;
  readonly number: number;
  readonly newTicket: NewTicket | null;
  readonly cc: readonly string[];
}

/** Only the first of each ticket, so that replies go out in order. */
export const findDueReplies = (db: SystemConnection, until: Date): Promise<DueReply[]> =>
  db.rows<DueReply>(DUE_REPLIES, [until]);

export class NotHeld extends Conflict {
  constructor() {
    super('not_held', 'The message was already sent or undone.');
  }
}

class CustomerWroteSince extends Conflict {
  constructor() {
    super('customer_wrote', 'The customer wrote first.');
  }
}

export interface HeldSource {
  readonly id: string;
  /** If it was undone before, the files that its author still wants. */
  readonly keptFiles?: readonly string[] | undefined;
}

type TakenReply = Readonly<{ isOvertaken: boolean; files: readonly TakenFile[] }>;

/** Deletes the row in the transaction that sends it, and returns its files. */
export async function takeHeld(tx: AccountTx, agentId: string, { id, keptFiles }: HeldSource): Promise<Attachment[]> {
  const values = [id, agentId, keptFiles !== undefined];
  const taken = isUuid(id) ? await tx.row<TakenReply>(TAKE, values) : undefined;
  if (!taken) throw new NotHeld();
  if (taken.isOvertaken) throw new CustomerWroteSince();
  const files = keptFiles ? taken.files.filter((file) => keptFiles.includes(file.id)) : taken.files;
  return attachmentsOf(tx, files);
}

export interface UnsentTicket {
  readonly id: string;
  readonly newTicket: NewTicket;
  readonly files: readonly TakenFile[];
}

export const sendHeldOf = (tx: AccountTx, agentId: string, now: Date): void => tx.send(SEND_OF_AGENT, [agentId, now]);

interface LockedReply extends Pick<WaitingReply, 'agentId' | 'dueAt'> {
  readonly ticketId: string;
  readonly number: number;
  readonly isScheduled: boolean;
  readonly author: string;
}

/** Owners and admins may also act on scheduled replies of others. */
export async function lockHeld(tx: AccountTx, { agentId, role }: RequestContext, id: string): Promise<LockedReply> {
  const locked = isUuid(id) ? await tx.row<LockedReply>(LOCK, [agentId, id, manages(role)]) : undefined;
  if (!locked) throw new NotHeld();
  return locked;
}

/** It becomes the draft of the given agent. */
export async function returnToDraft(
  tx: AccountTx,
  id: string,
  draft: Pick<Draft, 'id' | 'agentId' | 'updatedAt'>,
): Promise<boolean> {
  const saved = await tx.row<{ note: boolean }>(TO_DRAFT, [id, draft.id, draft.updatedAt, draft.agentId]);
  await tx.repository(HeldReply).delete({ id });
  return saved!.note;
}
