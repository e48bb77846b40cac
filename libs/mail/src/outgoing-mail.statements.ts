import { type AccountTx, accountStatement, byKey, filter, systemStatement, uuidAt } from '#libs/database';
import type { OutgoingMail, OutgoingMailKind, OutgoingMailState } from '#libs/entities';

const OWE = accountStatement(
  'outgoing_mail_owe',
  `insert into outgoing_mails (id, account_id, kind, state, recipient, message_id, return_token, detail, due_at, queued_at)
   values ($2, $1, $3, 'queued', $4, $5, $6, $7, $8, $8)`,
);

export interface OwedMail extends Pick<OutgoingMail, 'kind' | 'recipient'>, Partial<Pick<OutgoingMail, 'detail'>> {
  /** Of the message that it brings to its customer. */
  readonly messageId?: string;
  readonly returnToken?: string;
}

/** It goes out if the transaction commits, and else was never wanted. */
export function oweMail(tx: AccountTx, mail: OwedMail, now: Date): void {
  const { kind, recipient, messageId = null, returnToken = null, detail = {} } = mail;
  tx.send(OWE, [uuidAt(now), kind, recipient, messageId, returnToken, detail, now]);
}

/**
 * The same as a part of a statement, for what one statement changes and tells. `owed` selects whose they are, to whom they
 * go, what they say, and the moment.
 */
export const oweMails = (kind: OutgoingMailKind, owed: string): string => `
  insert into outgoing_mails (id, account_id, kind, state, recipient, detail, due_at, queued_at)
  select new_uuid_at(moment), account_id, '${kind}', 'queued', recipient, detail, moment, moment
  from (${owed}) owed (account_id, recipient, detail, moment)`;

const OWE_AGAIN = accountStatement(
  'outgoing_mail_owe_again',
  `update outgoing_mails set state = 'queued', reason = null, tries = 0, lease = null, handed_over_at = null, due_at = $3,
     queued_at = $3, ended_at = null
   where message_id = $2 and ${filter("account_id = $1 and state in ('bounced', 'failed', 'unsure')")} returning id`,
);

/** What ended badly is sent once more. False if it did not, or if there is none. */
export async function oweMailAgain(tx: AccountTx, messageId: string, now: Date): Promise<boolean> {
  return (await tx.row(OWE_AGAIN, [messageId, now])) !== undefined;
}

const BOUNCE = accountStatement(
  'outgoing_mail_bounce',
  `update outgoing_mails set state = 'bounced', reason = $3, ended_at = $4
   where account_id = $1 and return_token = $2
     and (state in ('sent', 'unsure') or state = 'queued' and handed_over_at is not null) returning id`,
);

/** A server further on did not take it. False for one of which that was known, or which is being sent again. */
export async function bounceMail(
  tx: AccountTx,
  { token, reason }: { readonly token: string; readonly reason: string },
  now: Date,
): Promise<boolean> {
  return (await tx.row(BOUNCE, [token, reason, now])) !== undefined;
}

const REASON = 'The mails of all accounts go out through the same workers';

/** What a worker left that died after it handed a mail over. */
const MAY_HAVE_ARRIVED = 'The worker ended before the mail server said whether it has the mail.';

/**
 * Taken until $2 by whoever holds the lease $3. What was handed over by a worker that is not heard of any more may have
 * arrived, and nobody takes it.
 */
export const CLAIM_MAILS = systemStatement(
  'outgoing_mail_claim',
  REASON,
  `with uncertain as (
     update outgoing_mails set state = 'unsure', reason = '${MAY_HAVE_ARRIVED}', ended_at = $1 where id = any(array(
       select id from outgoing_mails where state = 'queued' and due_at <= $1 and handed_over_at is not null
       order by due_at limit 100 for update skip locked))
   )
   update outgoing_mails set due_at = $2, lease = $3, tries = tries + 1 where id = any(array(
     select id from outgoing_mails where state = 'queued' and due_at <= $1 and handed_over_at is null
     order by due_at limit $4 for update skip locked))
   returning id, account_id as "accountId", (select name from accounts a where a.id = account_id) as account, kind, recipient,
     message_id as "messageId", return_token as "returnToken", detail, tries, lease, queued_at as "queuedAt"`,
);

/** What a worker knows of the mail that it sends. */
export type ClaimedMail = Pick<
  OutgoingMail,
  'id' | 'accountId' | 'kind' | 'recipient' | 'messageId' | 'returnToken' | 'detail' | 'tries' | 'queuedAt'
> & { readonly lease: string; readonly account: string };

export const KEEP_MAILS = systemStatement(
  'outgoing_mail_keep',
  REASON,
  `update outgoing_mails m set due_at = $3 from unnest($1::uuid[], $2::uuid[]) as held (id, lease)
   where ${byKey('m.id', 'held.id')} and m.lease = held.lease and ${filter("m.state = 'queued'")}`,
);

/** Of two workers that both believe to have it, one is told so. */
export const HAND_OVER_MAIL = systemStatement(
  'outgoing_mail_hand_over',
  REASON,
  `update outgoing_mails set handed_over_at = $3, due_at = $4
   where id = $1 and lease = $2 and ${filter("state = 'queued'")} returning id`,
);

/** The answer of the server counts also when the mail was given up for unsure meanwhile. */
const MINE = `id = $1 and lease = $2 and ${filter("state in ('queued', 'unsure')")}`;

export const END_MAIL = systemStatement(
  'outgoing_mail_end',
  REASON,
  `update outgoing_mails set state = $3, reason = $4, ended_at = $5 where ${MINE}`,
);

/** What a trial says of a mail that it keeps. */
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

export type EndedState = Exclude<OutgoingMailState, 'queued' | 'bounced' | 'caught'>;
