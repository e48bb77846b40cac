import { type AccountTx, accountStatement, filter, systemStatement } from '#libs/database';
import { Conflict } from '#libs/entities';
import { ARRIVALS_CHANNEL } from './arrival.statements.js';

const RELEASE = accountStatement(
  'held_mail_release',
  `update arrivals set state = 'waiting', reason = null, released = true, subject = null, preview = null, tries = 0,
     due_at = $3, understood_at = null
   where id = $2 and ${filter("account_id = $1 and state = 'held'")} returning pg_notify('${ARRIVALS_CHANNEL}', '')`,
);

/** The row stays, so that the mail is known when it comes again. */
const DISCARDED = `update arrivals set state = 'discarded', subject = null, preview = null, has_raw = false`;
const GIVEN_UP = `insert into stray_files (id, account_id, due_at) select id, account_id, $2 from gone on conflict do nothing
   returning id`;

const DISCARD = accountStatement(
  'held_mail_discard',
  `with gone as (${DISCARDED} where id = $3 and ${filter("account_id = $1 and state = 'held'")} returning id, account_id) ${GIVEN_UP}`,
);

const DISCARD_OLD = systemStatement(
  'held_mail_discard_old',
  'Upkeep discards held mails of every account that nobody looked at',
  `with gone as (${DISCARDED} where id = any(array(
     select id from arrivals where state = 'held' and understood_at < $1 order by understood_at limit $3
     for update skip locked)) returning id, account_id) ${GIVEN_UP}`,
);

export const DISCARD_OLD_HELD = DISCARD_OLD;

export async function releaseHeldMail(tx: AccountTx, id: string, now: Date): Promise<void> {
  if (!(await tx.row(RELEASE, [id, now]))) throw notHeld();
}

export async function discardHeldMail(tx: AccountTx, id: string, now: Date): Promise<void> {
  if (!(await tx.row(DISCARD, [now, id]))) throw notHeld();
}

const notHeld = (): Conflict =>
  new Conflict('mail_not_held', 'The mail is not held any more: somebody has taken it in or discarded it.');
