import { type AccountConnection, type AccountTx, accountStatement, filter } from '#libs/database';
import type { ImapRelease, LeasedImap } from './imap-leases.service.js';

/** A person stopped the import, or began another one, or another worker has the mailbox by now. What this one did is undone. */
export class ImportEnded extends Error {}

/** All of it is written under the lease of the mailbox, and to the import as it was when it was taken up. */
const UNDER_LEASE = `from imap_accounts i
  where x.account_id = $1 and x.id = $2 and x.started_at = $4 and x.ended_at is null
    and i.account_id = $1 and i.id = $2 and i.lease = $3`;

/** Whoever takes the mailbox over waits for this commit, or stops it. */
const LOCK = accountStatement(
  'imap_import_lock',
  'select id from imap_accounts where account_id = $1 and id = $2 and lease = $3 for share',
);

const BEGIN = accountStatement(
  'imap_import_begin',
  `update imap_imports x set uid_validity = $5, end_uid = $6, total = $7, last_uid = 0, done = 0 ${UNDER_LEASE} returning x.id`,
);

const MOVE = accountStatement(
  'imap_import_move',
  `update imap_imports x set last_uid = $5, done = x.done + $6, tries = 0, stuck_uid = null,
     stuck_tries = 0, last_error = null ${UNDER_LEASE} returning x.id`,
);

const END = accountStatement(
  'imap_import_end',
  `update imap_imports x set ended_at = clock_timestamp(), last_error = null ${UNDER_LEASE} returning x.id`,
);

const FAIL = accountStatement(
  'imap_import_fail',
  `update imap_imports x set due_at = clock_timestamp() + make_interval(secs => $5), last_error = $6, tries = x.tries + 1,
     stuck_tries = case when $7::bigint is null then x.stuck_tries when x.stuck_uid = $7 then x.stuck_tries + 1 else 1 end,
     stuck_uid = coalesce($7, x.stuck_uid) ${UNDER_LEASE}`,
);

const WAITING = accountStatement(
  'imap_import_waiting',
  `select count(*)::int as count from arrivals
   where account_id = $1 and state = 'waiting' and ${filter('mailbox_id = $2 and received_at is not null')}`,
);

/** An import that a worker has taken up. */
export interface HeldImport {
  readonly held: LeasedImap;
  readonly startedAt: Date;
}

export interface CountedFolder {
  readonly uidValidity: string;
  readonly endUid: number;
  readonly total: number;
}

const keys = ({ held, startedAt }: HeldImport): unknown[] => [held.id, held.lease, startedAt];

export async function beginImport(account: AccountConnection, taken: HeldImport, to: CountedFolder): Promise<void> {
  requireRow(await account.row(BEGIN, [...keys(taken), to.uidValidity, to.endUid, to.total]));
}

export async function moveImport(tx: AccountTx, taken: HeldImport, uid: number, mails: number): Promise<void> {
  requireRow(await tx.row(LOCK, [taken.held.id, taken.held.lease]));
  requireRow(await tx.row(MOVE, [...keys(taken), uid, mails]));
}

export async function endImport(account: AccountConnection, taken: HeldImport): Promise<void> {
  requireRow(await account.row(END, keys(taken)));
}

export async function failImport(
  account: AccountConnection,
  taken: HeldImport,
  { pauseMs, error, stuckUid }: ImapRelease,
): Promise<void> {
  await account.rows(FAIL, [...keys(taken), pauseMs / 1000, error, stuckUid]);
}

/** Older mails of the mailbox that are accepted and not yet understood. */
export async function countWaiting(account: AccountConnection, mailboxId: string): Promise<number> {
  return (await account.row<{ count: number }>(WAITING, [mailboxId]))!.count;
}

function requireRow(row: unknown): void {
  if (row === undefined) throw new ImportEnded();
}
