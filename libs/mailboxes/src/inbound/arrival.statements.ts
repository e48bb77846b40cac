import {
  type AccountConnection,
  type AccountTx,
  type SystemConnection,
  accountStatement,
  columns,
  filter,
  hydrate,
  rowByKey,
  systemStatement,
} from '#libs/database';
import { Arrival, Conflict, existing } from '#libs/entities';
import { loadInOrder } from '#libs/lists';

/** The pulse of a worker finds what it misses. */
export const ARRIVALS_CHANNEL = 'deskwire_arrivals';

/** Also takes the file off the list of stray files. */
const insertIf = (condition: string): string => `kept as (
     delete from stray_files where id = $2 and account_id = $1 and ${condition} returning id
   ), arrived as (
     insert into arrivals
       (id, account_id, mailbox_id, source, envelope_from, envelope_to, hash, size, state, due_at, created_at, received_at)
     select id, $1, $3, $4, $5, $6, $7, $8, 'waiting', $9, $9, $10 from kept
     returning *, pg_notify('${ARRIVALS_CHANNEL}', '')
   )`;

const INSERT = accountStatement(
  'arrival_insert',
  `with ${insertIf('true')}
   select true as accepted, ${columns(Arrival, 'r')} from (select) one left join arrived r on true`,
);

/** Selects `known`: the address is of a customer or an active agent. */
const knownSender = (email: string): string => `select exists (
     select from ${rowByKey('customers', 'email', email)} c
   ) or exists (select from ${rowByKey('agents', 'email', email)} a where a.state = 'active') as known`;

const FIND_KNOWN_SENDER = accountStatement('unknown_sender_find', knownSender('$2'));

export async function isKnownSender(account: AccountConnection, email: string): Promise<boolean> {
  return (await account.row<{ known: boolean }>(FIND_KNOWN_SENDER, [email]))!.known;
}

/** One statement, so that concurrent API processes cannot exceed the limit together. */
const INSERT_COUNTED = accountStatement(
  'arrival_insert_counted',
  `with sender as (${knownSender('$11')}), counted as (
     update mailboxes set unknown_senders_day = $12,
       unknown_senders_kib = $13 + case when unknown_senders_day = $12 then unknown_senders_kib else 0 end
     from sender
     where not known and id = $3 and account_id = $1
       and $13 + case when unknown_senders_day = $12 then unknown_senders_kib else 0 end <= $14
     returning 1
   ), verdict as (
     select known or exists (select from counted) as accepted from sender
   ), ${insertIf('(select accepted from verdict)')}
   select accepted, ${columns(Arrival, 'r')} from verdict left join arrived r on true`,
);

const WITH_NUMBER = `select ${columns(Arrival, 'r')}, t.number from arrivals r left join tickets t on t.id = r.ticket_id`;

const READ = accountStatement('arrival_read', `${WITH_NUMBER} where r.id = $2 and ${filter('r.account_id = $1')}`);

const LOAD = accountStatement('arrival_load', `${WITH_NUMBER} where r.account_id = $1 and r.id = any($2)`);

/** Daily limit for senders that are neither customers nor agents. */
interface UnknownSenderLimit {
  readonly sender: string;
  /** Days of UTC since 1970. */
  readonly day: number;
  readonly kib: number;
  readonly maxKib: number;
}

type NewArrival = Pick<
  Arrival,
  'id' | 'mailboxId' | 'source' | 'envelopeFrom' | 'envelopeTo' | 'hash' | 'size' | 'createdAt' | 'receivedAt'
>;

/** Returns null, and stores and counts nothing, if the limit is exceeded. */
export async function insertArrival(
  account: AccountConnection,
  arrival: NewArrival,
  limit: UnknownSenderLimit | null = null,
): Promise<Arrival | null> {
  const { id, mailboxId, source, envelopeFrom, envelopeTo, hash, size, createdAt, receivedAt } = arrival;
  const values = [id, mailboxId, source, envelopeFrom, envelopeTo, hash, size, createdAt, receivedAt];
  const counted = limit && [...values, limit.sender, limit.day, limit.kib, limit.maxKib];
  const { accepted, ...row } = (await (counted ? account.row(INSERT_COUNTED, counted) : account.row(INSERT, values)))!;
  const arrived = arrivalIn(row);
  if (accepted && !arrived)
    throw new Conflict('upload_given_up', 'The mail took too long to arrive and was discarded. Send it again.');
  return arrived;
}

export async function readArrival(account: AccountConnection, id: string): Promise<Arrival> {
  return existing(arrivalIn((await account.row(READ, [id])) ?? {}), 'arrival');
}

export const loadArrivals = (account: AccountConnection, ids: readonly string[]): Promise<Arrival[]> =>
  loadInOrder(account, LOAD, ids, arrivalIn);

function arrivalIn(row: Record<string, unknown>): Arrival | null {
  const arrival = hydrate(Arrival, row, 'r');
  return arrival && Object.assign(arrival, { ticketNumber: (row['number'] ?? null) as number | null });
}

const RELEASE_QUARANTINED = accountStatement(
  'quarantined_mail_release',
  `update arrivals set state = 'waiting', reason = null, released = true, subject = null, preview = null, tries = 0,
     due_at = $2, processed_at = null
   where id = $3 and ${filter("account_id = $1 and state = 'quarantined'")} returning pg_notify('${ARRIVALS_CHANNEL}', '')`,
);

/** Returns false if the mail is not in quarantine any more. */
export async function releaseHeld(tx: AccountTx, id: string, now: Date): Promise<boolean> {
  return (await tx.row(RELEASE_QUARANTINED, [now, id])) !== undefined;
}

/** The row stays, so that a repeat is recognized. */
const DISCARDED = `update arrivals set state = 'discarded', subject = null, preview = null, has_raw = false`;
const REMOVED_BYTES = (rows: string): string => `insert into stray_files (id, account_id, due_at)
   select id, account_id, $2 from ${rows} on conflict do nothing returning id`;

const DISCARD_QUARANTINED = accountStatement(
  'quarantined_mail_discard',
  `with gone as (${DISCARDED} where id = $3 and ${filter("account_id = $1 and state = 'quarantined'")} returning id, account_id)
   ${REMOVED_BYTES('gone')}`,
);

/** Returns false if the mail is not in quarantine any more. */
export async function discardQuarantined(tx: AccountTx, id: string, now: Date): Promise<boolean> {
  return (await tx.row(DISCARD_QUARANTINED, [now, id])) !== undefined;
}

const DISCARD_OLD_QUARANTINED = systemStatement(
  'quarantined_mail_discard_old',
  'Upkeep discards old mails in the quarantine of every account',
  `with gone as (${DISCARDED} where id = any(array(
     select id from arrivals where state = 'quarantined' and processed_at < $1 order by processed_at limit $3
     for update skip locked)) returning id, account_id) ${REMOVED_BYTES('gone')}`,
);

interface Expired {
  readonly before: Date;
  readonly now: Date;
  readonly limit: number;
}

export async function discardOldHeld(db: SystemConnection, { before, now, limit }: Expired): Promise<number> {
  return (await db.rows(DISCARD_OLD_QUARANTINED, [before, now, limit])).length;
}

const DISCARD_RAW = systemStatement(
  'arrival_discard_raw',
  'Upkeep removes the bytes of processed mails of every account',
  `with old as (
     update arrivals set has_raw = false where id = any(array(
       select id from arrivals where has_raw and state in ('processed', 'duplicate') and processed_at < $1
       order by processed_at limit $3 for update skip locked))
     returning id, account_id
   )
   ${REMOVED_BYTES('old')}`,
);

export async function discardRaw(db: SystemConnection, { before, now, limit }: Expired): Promise<number> {
  return (await db.rows(DISCARD_RAW, [before, now, limit])).length;
}

export type InboundMail = Pick<
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
