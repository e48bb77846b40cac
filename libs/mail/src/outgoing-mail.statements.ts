import {
  type AccountTx,
  BELL_CHANNEL,
  type SystemConnection,
  accountStatement,
  arraysOf,
  byKey,
  filter,
  systemStatement,
  uuidAt,
} from '#libs/database';
import type { OutgoingMail, OutgoingMailKind } from '#libs/entities';

/** Part of the transaction, unlike the bell: few transactions queue mail, so few commits wait for each other. */
export const MAILS_CHANNEL = 'deskwire_mails';

export const CAUGHT_REASON = 'Not sent (trial mode). See Outgoing mail.';

const NOTIFY_WORKERS = `pg_notify('${MAILS_CHANNEL}', account_id::text)`;

/** The mail of a message carries the files that the message has when the mail is queued, not those attached later. */
const filesOf = (message: string): string => `jsonb_build_object('files', array_to_string(array(
  select x.id from attachments x where x.message_id = ${message} and ${filter('x.account_id = $1')}), ' '))`;

const OWE = accountStatement(
  'outgoing_mail_owe',
  `insert into outgoing_mails
     (id, account_id, lane, kind, state, recipient, message_id, copy_of, return_token, detail, due_at, queued_at, ended_at, reason)
   values ($2, $1, coalesce($9::uuid, $1::uuid), $3, $11, $4, $5, $10, case when $11 = 'queued' then $6 end,
     $7::jsonb || case $3 when 'message' then ${filesOf('coalesce($5::uuid, $10::uuid)')} else '{}' end, $8::timestamptz, $8::timestamptz,
     case when $11 = 'caught' then $8::timestamptz end, case when $11 = 'caught' then '${CAUGHT_REASON}' end)
   returning case when $11 = 'queued' then ${NOTIFY_WORKERS} end`,
);

interface OwedMail extends Pick<OutgoingMail, 'kind' | 'recipient'>, Partial<Pick<OutgoingMail, 'detail'>> {
  /** Defaults to `queued`. A caught email is never sent. */
  readonly state?: 'queued' | 'caught';
  /** The message that is sent to its customer. */
  readonly messageId?: string;
  /** The message that is sent to a person in Cc. */
  readonly copyOf?: string;
  readonly mailboxId?: string;
  readonly returnToken?: string;
}

export function queueMail(tx: AccountTx, mail: OwedMail, now: Date): string {
  const { kind, recipient, messageId = null, copyOf = null, mailboxId = null, returnToken = null } = mail;
  const { detail = {}, state = 'queued' } = mail;
  const id = uuidAt(now);
  tx.send(OWE, [id, kind, recipient, messageId, returnToken, detail, now, mailboxId, copyOf, state]);
  return id;
}

/** Like `newReturnToken`. */
const NEW_RETURN_TOKEN = `right(replace(gen_random_uuid()::text, '-', ''), 16)`;

/** Part of another statement. `owed` selects the account, the recipient, the detail and the time. A mailbox may send it. */
export const queueMailsSql = (kind: OutgoingMailKind, owed: string, mailbox = 'null::uuid'): string => `
  insert into outgoing_mails (id, account_id, lane, kind, state, recipient, return_token, detail, due_at, queued_at)
  select new_uuid_at(moment), account_id, coalesce(${mailbox}, account_id), '${kind}', 'queued', recipient,
    case when ${mailbox} is not null then ${NEW_RETURN_TOKEN} end, detail, moment, moment
  from (${owed}) owed (account_id, recipient, detail, moment) returning ${NOTIFY_WORKERS}`;

const OWE_AGAIN = accountStatement(
  'outgoing_mail_owe_again',
  `update outgoing_mails set state = 'queued', reason = null, tries = 0, lease = null, handed_over_at = null, due_at = $3,
     queued_at = $3, ended_at = null, detail = detail || ${filesOf('$2')}
   where (message_id = $2 or copy_of = $2) and ${filter("account_id = $1 and state in ('bounced', 'failed', 'unsure')")}
   returning id, ${NOTIFY_WORKERS}`,
);

export async function requeueMails(tx: AccountTx, messageId: string, now: Date): Promise<boolean> {
  return (await tx.row(OWE_AGAIN, [messageId, now])) !== undefined;
}

const BOUNCE = accountStatement(
  'outgoing_mail_bounce',
  `update outgoing_mails set state = 'bounced', reason = $3, ended_at = $4
   where account_id = $1 and return_token = $2
     and (state in ('sent', 'unsure') or state = 'queued' and handed_over_at is not null) returning id`,
);

/** Returns false if it bounced before or is being sent again. */
export async function bounceMail(
  tx: AccountTx,
  { token, reason }: { readonly token: string; readonly reason: string },
  now: Date,
): Promise<boolean> {
  return (await tx.row(BOUNCE, [token, reason, now])) !== undefined;
}

const REASON = 'Workers send the mails of all accounts';

/** Shown if a worker dies after the handover. */
const MAY_HAVE_ARRIVED = 'The worker ended before the mail server confirmed that it had accepted the email.';

const IS_DUE = "o.state = 'queued' and o.due_at <= $1 and (o.lease is null or o.leased_until <= $1)";

/**
 * Up to $4 emails for the installation's server and $5 for mailboxes' servers, each with the columns of `content`. $6 to
 * $8 are the lanes, accounts and kinds of server of the emails in hand; accounts with fewer come first. Each lane is
 * read by an index, so a long queue costs nothing. Limits in hand: $9 for one mailbox's server, and per account $10 for
 * mailboxes' servers and $11 for the installation's. An email handed over by a worker that died may have arrived: it
 * becomes `unsure` and is not sent again. A claim changes no indexed column.
 */
export const claimMailsSql = (content: string): string =>
  `with recursive waiting (lane) as (
     (select lane from outgoing_mails where state = 'queued' order by lane limit 1)
     union all
     select (select o.lane from outgoing_mails o where o.state = 'queued' and o.lane > w.lane order by o.lane limit 1)
     from waiting w where w.lane is not null
   ), in_hand as (
     select lane, account_id, own from unnest($6::uuid[], $7::uuid[], $8::boolean[]) as held (lane, account_id, own)
   ), lanes as (
     select w.lane, coalesce(m.has_smtp, false) as own,
       (select count(*) from in_hand h where h.lane = w.lane) as in_hand
     from waiting w left join mailboxes m on m.id = w.lane where w.lane is not null
   ), next as (
     select due.id, lanes.own, due.due_at, (
         select count(*) from in_hand h where h.account_id = due.account_id and h.own = lanes.own)
       + row_number() over (partition by due.account_id, lanes.own order by due.due_at) as turn
     from lanes cross join lateral (
       select o.id, o.account_id, o.due_at from outgoing_mails o where o.lane = lanes.lane and ${IS_DUE}
       order by o.due_at
       limit case when lanes.own then greatest(0, $9::int - lanes.in_hand) else $11::int end
     ) due
   ), chosen as (
     select id from (select id, own, row_number() over (partition by own order by turn, due_at) as place
       from next where turn <= case when own then $10::int else $11::int end) ordered
     where place <= case when own then $5::int else $4::int end
   ), locked as materialized (
     select o.id, o.handed_over_at from outgoing_mails o
     where o.id = any(array(select id from chosen)) and ${IS_DUE} for update skip locked
   ), uncertain as (
     update outgoing_mails set state = 'unsure', reason = '${MAY_HAVE_ARRIVED}', ended_at = $1
     where id = any(array(select id from locked where handed_over_at is not null))
   ), claimed as (
     update outgoing_mails set leased_until = $2, lease = $3, tries = tries + 1
     where id = any(array(select id from locked where handed_over_at is null)) returning *
   )
   select content.*, mail.id, mail.account_id as "accountId", a.name as account, mail.kind, mail.recipient,
     coalesce(mail.message_id, mail.copy_of) as "messageId", mail.copy_of is not null as "isCopy",
     mail.return_token as "returnToken", mail.detail, mail.tries, mail.lease, mail.queued_at as "queuedAt", mail.lane,
     exists (select from mailboxes m where m.id = mail.lane and m.has_smtp) as "byOwnServer"
   from claimed mail join accounts a on a.id = mail.account_id left join lateral (${content} limit 1) content on true`;

export type ClaimedMail = Pick<
  OutgoingMail,
  'id' | 'accountId' | 'lane' | 'kind' | 'recipient' | 'messageId' | 'returnToken' | 'detail' | 'tries' | 'queuedAt'
> & {
  readonly lease: string;
  readonly account: string;
  readonly byOwnServer: boolean;
  readonly isCopy: boolean;
};

export type MailLease = Pick<ClaimedMail, 'id' | 'lease'>;

/** $1 and $2 are the ids and leases of emails. Rows are locked in the order of the ids. */
const LEASED = `from unnest($1::uuid[], $2::uuid[]) as held (id, lease)
  where ${byKey('m.id', 'held.id')} and m.lease = held.lease and ${filter("m.state = 'queued'")}`;

const KEEP_MAILS = systemStatement(
  'outgoing_mail_keep',
  REASON,
  `update outgoing_mails m set leased_until = $3 ${LEASED}`,
);

export async function renewMails(db: SystemConnection, mails: readonly MailLease[], leasedUntil: Date): Promise<void> {
  if (mails.length > 0) await db.rows(KEEP_MAILS, [...leasesOf(mails), leasedUntil]);
}

/** Only one of two workers that both believe to have the lease gets a row. */
const HAND_OVER_MAILS = systemStatement(
  'outgoing_mail_hand_over',
  REASON,
  `update outgoing_mails m set handed_over_at = $4, leased_until = $3 ${LEASED} returning m.id`,
);

/** Returns the ids of mails whose lease is valid. */
export async function handOverMails(
  db: SystemConnection,
  mails: readonly MailLease[],
  { leasedUntil, now }: { readonly leasedUntil: Date; readonly now: Date },
): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(HAND_OVER_MAILS, [...leasesOf(mails), leasedUntil, now]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * $1 to $7 describe one email each; $8 is the time. `queued` tries again when due. The server’s response also counts
 * after the mail became `unsure`. Notifies open pages.
 */
const RECORD_MAILS = systemStatement(
  'outgoing_mail_record',
  REASON,
  `update outgoing_mails m set state = r.state, reason = r.reason, tries = r.tries, caught = r.caught,
     due_at = coalesce(r.due_at, m.due_at), ended_at = case when r.state <> 'queued' then $8::timestamptz end,
     lease = case when r.state <> 'queued' then m.lease end,
     handed_over_at = case when r.state <> 'queued' then m.handed_over_at end
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::timestamptz[], $7::jsonb[])
     as r (id, lease, state, reason, tries, due_at, caught)
   where ${byKey('m.id', 'r.id')} and m.lease = r.lease and m.state in ('queued', 'unsure')
   returning pg_notify('${BELL_CHANNEL}', m.account_id::text)`,
);

type MailEnd = Pick<OutgoingMail, 'state' | 'reason'> & Partial<Pick<OutgoingMail, 'dueAt' | 'caught'>>;

export type MailRecord = MailLease & MailEnd & Pick<OutgoingMail, 'tries'>;

export async function recordMails(db: SystemConnection, records: readonly MailRecord[], now: Date): Promise<void> {
  const columns = ['id', 'lease', 'state', 'reason', 'tries', 'dueAt', 'caught'] as const;
  await db.rows(RECORD_MAILS, [...arraysOf(inLockOrder(records), ...columns), now]);
}

const leasesOf = (mails: readonly MailLease[]): unknown[] => arraysOf(inLockOrder(mails), 'id', 'lease');

/** Two statements that lock the same emails cannot deadlock. */
const inLockOrder = <M extends MailLease>(mails: readonly M[]): M[] =>
  mails.toSorted((one, other) => (one.id < other.id ? -1 : 1));
