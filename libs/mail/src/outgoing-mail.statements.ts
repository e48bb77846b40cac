import { type AccountTx, accountStatement, byKey, filter, systemStatement, uuidAt } from '#libs/database';
import type { OutgoingMail, OutgoingMailKind } from '#libs/entities';

/** Part of the transaction, unlike the bell: few transactions queue mail, so few commits wait for each other. */
export const MAILS_CHANNEL = 'deskwire_mails';

const NOTIFY_WORKERS = `pg_notify('${MAILS_CHANNEL}', account_id::text)`;

const OWE = accountStatement(
  'outgoing_mail_owe',
  `insert into outgoing_mails
     (id, account_id, lane, kind, state, recipient, message_id, copy_of, return_token, detail, due_at, queued_at)
   values ($2, $1, coalesce($9::uuid, $1::uuid), $3, 'queued', $4, $5, $10, $6, $7, $8, $8) returning ${NOTIFY_WORKERS}`,
);

interface OwedMail extends Pick<OutgoingMail, 'kind' | 'recipient'>, Partial<Pick<OutgoingMail, 'detail'>> {
  /** The message that is sent to its customer. */
  readonly messageId?: string;
  /** The message that is sent to a person in Cc. */
  readonly copyOf?: string;
  readonly mailboxId?: string;
  readonly returnToken?: string;
}

export function queueMail(tx: AccountTx, mail: OwedMail, now: Date): string {
  const { kind, recipient, messageId = null, copyOf = null, mailboxId = null, returnToken = null, detail = {} } = mail;
  const id = uuidAt(now);
  tx.send(OWE, [id, kind, recipient, messageId, returnToken, detail, now, mailboxId, copyOf]);
  return id;
}

/** Part of another statement. `owed` selects the account, the recipient, the detail and the time. */
export const queueMailsSql = (kind: OutgoingMailKind, owed: string): string => `
  insert into outgoing_mails (id, account_id, lane, kind, state, recipient, detail, due_at, queued_at)
  select new_uuid_at(moment), account_id, account_id, '${kind}', 'queued', recipient, detail, moment, moment
  from (${owed}) owed (account_id, recipient, detail, moment) returning ${NOTIFY_WORKERS}`;

const OWE_AGAIN = accountStatement(
  'outgoing_mail_owe_again',
  `update outgoing_mails set state = 'queued', reason = null, tries = 0, lease = null, handed_over_at = null, due_at = $3,
     queued_at = $3, ended_at = null
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
const MAY_HAVE_ARRIVED = 'The worker ended before the mail server said whether it has the mail.';

const WAITS = "state = 'queued' and handed_over_at is null";

/**
 * Up to $4 mails for the installation's server and $5 for mailboxes' servers. $6 to $8 are the lanes, accounts and
 * kinds of server of the mails in hand; accounts with fewer come first. Each lane is read by an index, so a long queue
 * costs nothing. Limits in hand: $9 for one mailbox's server, and per account $10 for mailboxes' servers and $11 for
 * the installation's. A mail handed over by a worker that died may have arrived: it becomes `unsure` and is not sent
 * again.
 */
export const CLAIM_MAILS = systemStatement(
  'outgoing_mail_claim',
  REASON,
  `with recursive uncertain as (
     update outgoing_mails set state = 'unsure', reason = '${MAY_HAVE_ARRIVED}', ended_at = $1 where id = any(array(
       select id from outgoing_mails where state = 'queued' and due_at <= $1 and handed_over_at is not null
       order by due_at limit 100 for update skip locked))
   ), waiting (lane) as (
     (select lane from outgoing_mails where ${WAITS} order by lane limit 1)
     union all
     select (select o.lane from outgoing_mails o where ${WAITS} and o.lane > w.lane order by o.lane limit 1)
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
       select o.id, o.account_id, o.due_at from outgoing_mails o where ${WAITS} and o.lane = lanes.lane and o.due_at <= $1
       order by o.due_at
       limit case when lanes.own then greatest(0, $9::int - lanes.in_hand) else $11::int end
     ) due
   ), chosen as (
     select id from (select id, own, row_number() over (partition by own order by turn, due_at) as place
       from next where turn <= case when own then $10::int else $11::int end) ordered
     where place <= case when own then $5::int else $4::int end
   )
   update outgoing_mails set due_at = $2, lease = $3, tries = tries + 1 where id = any(array(
     select o.id from outgoing_mails o where o.id = any(array(select id from chosen)) and ${WAITS} and o.due_at <= $1
     for update skip locked))
   returning id, account_id as "accountId", (select name from accounts a where a.id = account_id) as account, kind, recipient,
     coalesce(message_id, copy_of) as "messageId", copy_of is not null as "isCopy", return_token as "returnToken", detail, tries, lease, queued_at as "queuedAt", lane,
     exists (select from mailboxes m where m.id = lane and m.has_smtp) as "byOwnServer"`,
);

export type ClaimedMail = Pick<
  OutgoingMail,
  'id' | 'accountId' | 'lane' | 'kind' | 'recipient' | 'messageId' | 'returnToken' | 'detail' | 'tries' | 'queuedAt'
> & {
  readonly lease: string;
  readonly account: string;
  readonly byOwnServer: boolean;
  readonly isCopy: boolean;
};

export const KEEP_MAILS = systemStatement(
  'outgoing_mail_keep',
  REASON,
  `update outgoing_mails m set due_at = $3 from unnest($1::uuid[], $2::uuid[]) as held (id, lease)
   where ${byKey('m.id', 'held.id')} and m.lease = held.lease and ${filter("m.state = 'queued'")}`,
);

/** Only one of two workers that both believe to have the lease gets a row. */
export const HAND_OVER_MAIL = systemStatement(
  'outgoing_mail_hand_over',
  REASON,
  `update outgoing_mails set handed_over_at = $3, due_at = $4
   where id = $1 and lease = $2 and ${filter("state = 'queued'")} returning id`,
);

/** The server’s response also counts after the mail became `unsure`. */
const MINE = `id = $1 and lease = $2 and ${filter("state in ('queued', 'unsure')")}`;

export const END_MAIL = systemStatement(
  'outgoing_mail_end',
  REASON,
  `update outgoing_mails set state = $3, reason = $4, ended_at = $5 where ${MINE}`,
);

const CAUGHT = 'Kept in this trial: nobody has got it.';

export const CATCH_MAIL = systemStatement(
  'outgoing_mail_catch',
  REASON,
  `update outgoing_mails set state = 'caught', reason = '${CAUGHT}', caught = $3, ended_at = $4 where ${MINE}`,
);

export const POSTPONE_MAIL = systemStatement(
  'outgoing_mail_postpone',
  REASON,
  `update outgoing_mails set state = 'queued', lease = null, handed_over_at = null, ended_at = null, reason = $3,
     due_at = $4, tries = $5
   where ${MINE}`,
);
