import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  filter,
  hydrate,
  rangeOf,
  rowByKey,
  systemStatement,
} from '#libs/database';
import { Arrival, type ArrivalState, Conflict, NotFound, type SenderVerdicts } from '#libs/entities';
import { loadInOrder } from '#libs/lists';

/** On which workers hear that a mail was accepted. Who does not hear it polls. */
export const ARRIVALS_CHANNEL = 'deskwire_arrivals';

/** Inserts the arrival and takes its file off the list of stray files, unless `condition` is false. */
const insertIf = (condition: string): string => `kept as (
     delete from stray_files where id = $2 and ${filter('account_id = $1')} and ${condition} returning id
   ), arrived as (
     insert into arrivals
       (id, account_id, mailbox_id, source, envelope_from, envelope_to, hash, size, state, due_at, created_at, received_at)
     select id, $1, $3, $4, $5, $6, $7, $8, 'waiting', $9, $9, $10 from kept returning pg_notify('${ARRIVALS_CHANNEL}', '')
   )`;

const INSERT = accountStatement(
  'arrival_insert',
  `with ${insertIf('true')} select true as accepted, exists (select from arrived) as arrived`,
);

/** Selects `known`: whether the address in the parameter `email` belongs to a customer or an active agent. */
export const knownSender = (email: string): string => `select exists (
     select from ${rowByKey('customers', 'email', email)} c
   ) or exists (select from ${rowByKey('agents', 'email', email)} a where a.state = 'active') as known`;

/** Counts and stores in one statement: one round trip, and API processes that store at the same time agree. */
const INSERT_COUNTED = accountStatement(
  'arrival_insert_counted',
  `with sender as (${knownSender('$11')}), counted as (
     update mailboxes set unknown_senders_day = $12,
       unknown_senders_kib = $13 + case when unknown_senders_day = $12 then unknown_senders_kib else 0 end
     from sender
     where not known and id = $3 and ${filter('account_id = $1')}
       and $13 + case when unknown_senders_day = $12 then unknown_senders_kib else 0 end <= $14
     returning 1
   ), verdict as (
     select known or exists (select from counted) as accepted from sender
   ), ${insertIf('(select accepted from verdict)')}
   select accepted, exists (select from arrived) as arrived from verdict`,
);

const WITH_NUMBER = `select ${columns(Arrival, 'r')}, t.number from arrivals r left join tickets t on t.id = r.ticket_id`;

const READ = accountStatement('arrival_read', `${WITH_NUMBER} where r.id = $2 and ${filter('r.account_id = $1')}`);

const LOAD = accountStatement('arrival_load', `${WITH_NUMBER} where r.account_id = $1 and r.id = any($2)`);

/** Limits what a mailbox stores in a day for senders who are neither customers nor agents. */
export interface UnknownSenderLimit {
  readonly sender: string;
  /** Days of UTC since 1970. */
  readonly day: number;
  /** Size of this mail. */
  readonly kib: number;
  readonly maxKib: number;
}

/** Stores an arrival. Returns false, and stores and counts nothing, if it exceeds the limit. */
export async function insertArrival(
  account: AccountConnection,
  arrival: Arrival,
  limit: UnknownSenderLimit | null = null,
): Promise<boolean> {
  const { id, mailboxId, source, envelopeFrom, envelopeTo, hash, size, createdAt, receivedAt } = arrival;
  const values = [id, mailboxId, source, envelopeFrom, envelopeTo, hash, size, createdAt, receivedAt];
  const row = limit
    ? await account.row<Inserted>(INSERT_COUNTED, [...values, limit.sender, limit.day, limit.kib, limit.maxKib])
    : await account.row<Inserted>(INSERT, values);
  const { accepted, arrived } = row!;
  if (accepted && !arrived)
    throw new Conflict('upload_given_up', 'The mail took too long to arrive and was discarded. Send it again.');
  return accepted;
}

interface Inserted {
  readonly accepted: boolean;
  readonly arrived: boolean;
}

export async function readArrival(account: AccountConnection, id: string): Promise<Arrival> {
  const arrival = arrivalIn((await account.row(READ, [id])) ?? {});
  if (!arrival) throw new NotFound('arrival');
  return arrival;
}

export const loadArrivals = (account: AccountConnection, ids: readonly string[]): Promise<Arrival[]> =>
  loadInOrder(account, LOAD, ids, arrivalIn);

function arrivalIn(row: Record<string, unknown>): Arrival | null {
  const arrival = hydrate(Arrival, row, 'r');
  return arrival && Object.assign(arrival, { ticketNumber: (row['number'] ?? null) as number | null });
}

const REASON = 'Mails that arrived are understood for all accounts alike';

/** Claims a mail until $2, unless $3 has its account; one that was tried before only with $4. If the worker dies, another claims it then. After too many tries it is not read any more. */
export const CLAIM_ARRIVAL = systemStatement(
  'arrival_claim',
  REASON,
  `update arrivals set due_at = $2, tries = tries + 1 where id = any(array(
     select id from arrivals where state = 'waiting' and due_at <= $1 and account_id <> all($3::uuid[])
       and (tries = 0 or $4)
     order by due_at limit 1 for update skip locked))
   returning id, account_id as "accountId", mailbox_id as "mailboxId", envelope_from as "envelopeFrom",
     envelope_to as "envelopeTo", hash, tries, released, created_at as "createdAt", received_at as "receivedAt"`,
);

/** What a worker knows of the mail it works on. */
export type ClaimedArrival = Pick<
  Arrival,
  | 'id'
  | 'accountId'
  | 'mailboxId'
  | 'envelopeFrom'
  | 'envelopeTo'
  | 'hash'
  | 'tries'
  | 'released'
  | 'createdAt'
  | 'receivedAt'
>;

const POSTPONE = accountStatement(
  'arrival_postpone',
  `update arrivals set due_at = $3, tries = $4 where id = $2 and ${filter("account_id = $1 and state = 'waiting'")}`,
);

export async function postponeArrival(
  account: AccountConnection,
  id: string,
  until: Date,
  tries: number,
): Promise<void> {
  await account.rows(POSTPONE, [id, until, tries]);
}

const END = accountStatement(
  'arrival_end',
  `with ended as (
     update arrivals set state = $3, reason = $4, mail_id = $5, content_hash = $6, sender = $7, ticket_id = $8,
       message_id = $9, started_ticket = $10, understood_at = $11, subject = $12, preview = $13, verdicts = $14,
       has_raw = not $15
     where id = $2 and ${filter("account_id = $1 and state = 'waiting'")} returning id, account_id, has_raw
   ), given_up as (
     insert into stray_files (id, account_id, due_at) select id, account_id, $11 from ended where not has_raw
     on conflict do nothing
   )
   select id from ended`,
);

/** What became of a mail. */
export interface ArrivalEnd {
  readonly state: Exclude<ArrivalState, 'waiting' | 'discarded'>;
  readonly reason?: string;
  readonly mailId: string;
  readonly contentHash: string;
  readonly sender: string | null;
  readonly ticketId?: string;
  readonly messageId?: string;
  readonly startedTicket?: boolean;
  /** The content of the mail is stored elsewhere, so its bytes are removed when the transaction has ended. */
  readonly isStoredTwice?: boolean;
  /** Of a mail that is held, for whoever looks at it. */
  readonly subject?: string;
  readonly preview?: string;
  readonly verdicts?: SenderVerdicts | null;
}

/** Another worker was faster, or the same mail came at the same time: in both cases nothing is left to do. */
export class AlreadyUnderstood extends Error {}

export async function endArrival(
  tx: AccountTx | AccountConnection,
  id: string,
  end: ArrivalEnd,
  now: Date,
): Promise<void> {
  const {
    state,
    reason = null,
    mailId,
    contentHash,
    sender,
    ticketId = null,
    messageId = null,
    startedTicket = false,
    isStoredTwice = false,
    subject = null,
    preview = null,
    verdicts = null,
  } = end;
  const made = [ticketId, messageId, startedTicket, now, subject, preview, verdicts, isStoredTwice];
  if (!(await tx.row(END, [id, state, reason, mailId, contentHash, sender, ...made]))) throw new AlreadyUnderstood();
}

const KNOWN = accountStatement(
  'arrival_known',
  `select from arrivals where account_id = $1 and ${rangeOf('mail_id', '$3')}
     and ${filter('id <> $2 and content_hash = $4 and ticket_id = $5')}
   order by mail_id limit 1`,
);

/** The same mail was sent to two mailboxes, and the other one of them brought it to the ticket. */
export class KnownInTicket extends Error {}

/** Asked while the ticket is locked, so of two at once the second one hears of the first. */
export async function refuseKnown(
  tx: AccountTx,
  { id }: Pick<Arrival, 'id'>,
  { mailId, contentHash, ticketId }: Required<Pick<ArrivalEnd, 'mailId' | 'contentHash' | 'ticketId'>>,
): Promise<void> {
  if (await tx.row(KNOWN, [id, mailId, contentHash, ticketId])) throw new KnownInTicket();
}
