import { type AccountConnection, type AccountTx, accountStatement } from '#libs/database';
import { Conflict, ImapImport, NotFound, existing } from '#libs/entities';
import { readImapAccount } from './imap-account.statements.js';
import type { ImapLease, ImapRelease, LeasedImap } from './imap-lease.statements.js';

export const findImport = (account: AccountConnection, mailboxId: string): Promise<ImapImport | null> =>
  account.repository(ImapImport).findOne({ id: mailboxId });

const START = accountStatement(
  'imap_import_start',
  `insert into imap_imports as x (account_id, id, since, started_at) values ($1, $2, $3, $4)
   on conflict (id) do update set since = $3, started_at = $4, uid_validity = null, last_uid = 0, end_uid = 0, total = null,
     done = 0, due_at = clock_timestamp(), tries = 0, stuck_uid = null, stuck_tries = 0, last_error = null, ended_at = null,
     stopped = false
   where x.account_id = $1`,
);

/** The caller has locked the mailbox, so no other import starts. */
export async function startImport(
  tx: AccountTx,
  mailboxId: string,
  { since, now }: { readonly since: Date | null; readonly now: Date },
): Promise<ImapImport> {
  existing(await readImapAccount(tx, mailboxId), 'imap');
  const former = await findImport(tx, mailboxId);
  if (former && !former.endedAt)
    throw new Conflict('import_is_running', 'An import is already running. Stop it first.');
  await tx.rows(START, [mailboxId, since, now]);
  return (await findImport(tx, mailboxId))!;
}

const STOP = accountStatement(
  'imap_import_stop',
  `update imap_imports set ended_at = $3, stopped = true where account_id = $1 and id = $2 and ended_at is null
   returning id`,
);

/** Keeps the imported emails. The worker stops before its next batch. */
export async function stopImport(tx: AccountTx, mailboxId: string, now: Date): Promise<void> {
  if (!(await tx.row(STOP, [mailboxId, now]))) throw new NotFound('import');
}

/** Writes only under the lease, and only to the import that the worker started with. */
const UNDER_LEASE = `from imap_accounts i
  where x.account_id = $1 and x.id = $2 and x.started_at = $4 and x.ended_at is null
    and i.account_id = $1 and i.id = $2 and i.lease = $3`;

/** A worker that takes over waits for this commit or makes it fail. */
const LOCK_IMPORT = accountStatement(
  'imap_import_lock',
  'select id from imap_accounts where account_id = $1 and id = $2 and lease = $3 for share',
);

/** Like the others below, returns false if the import ended or another worker has the lease. */
export async function lockImport(tx: AccountTx, { id, lease }: ImapLease): Promise<boolean> {
  return (await tx.row(LOCK_IMPORT, [id, lease])) !== undefined;
}

/** An import that a worker runs. */
export interface HeldImport {
  readonly held: LeasedImap;
  readonly startedAt: Date;
}

const keysOf = ({ held, startedAt }: HeldImport): unknown[] => [held.id, held.lease, startedAt];

const BEGIN_IMPORT = accountStatement(
  'imap_import_begin',
  `update imap_imports x set uid_validity = $5, end_uid = $6, total = $7, last_uid = 0, done = 0 ${UNDER_LEASE} returning x.id`,
);

export async function beginImport(
  account: AccountConnection,
  running: HeldImport,
  { uidValidity, endUid, total }: ImportedFolder,
): Promise<boolean> {
  const values = [...keysOf(running), uidValidity, endUid, total];
  return (await account.row(BEGIN_IMPORT, values)) !== undefined;
}

export interface ImportedFolder {
  readonly uidValidity: string;
  readonly endUid: number;
  readonly total: number;
}

const ADVANCE_IMPORT = accountStatement(
  'imap_import_advance',
  `update imap_imports x set last_uid = $5, done = x.done + $6, tries = 0, stuck_uid = null,
     stuck_tries = 0, last_error = null ${UNDER_LEASE} returning x.id`,
);

/** `passed` counts the mails up to `upTo`. */
export async function advanceImport(
  tx: AccountTx,
  running: HeldImport,
  { upTo, passed }: { readonly upTo: number; readonly passed: number },
): Promise<boolean> {
  return (await tx.row(ADVANCE_IMPORT, [...keysOf(running), upTo, passed])) !== undefined;
}

const END_IMPORT = accountStatement(
  'imap_import_end',
  `update imap_imports x set ended_at = clock_timestamp(), last_error = null ${UNDER_LEASE} returning x.id`,
);

export async function endImport(account: AccountConnection, running: HeldImport): Promise<boolean> {
  return (await account.row(END_IMPORT, keysOf(running))) !== undefined;
}

const FAIL_IMPORT = accountStatement(
  'imap_import_fail',
  `update imap_imports x set due_at = clock_timestamp() + make_interval(secs => $5), last_error = $6, tries = x.tries + 1,
     stuck_tries = case when $7::bigint is null then x.stuck_tries when x.stuck_uid = $7 then x.stuck_tries + 1 else 1 end,
     stuck_uid = coalesce($7, x.stuck_uid) ${UNDER_LEASE}`,
);

export async function failImport(
  account: AccountConnection,
  running: HeldImport,
  { pauseMs, error, stuckUid }: ImapRelease,
): Promise<void> {
  await account.rows(FAIL_IMPORT, [...keysOf(running), pauseMs / 1000, error, stuckUid]);
}

const COUNT_WAITING = accountStatement(
  'imap_import_count_waiting',
  `select count(*)::int as count from arrivals
   where account_id = $1 and state = 'waiting' and mailbox_id = $2 and received_at is not null`,
);

export async function countWaiting(account: AccountConnection, mailboxId: string): Promise<number> {
  return (await account.row<{ count: number }>(COUNT_WAITING, [mailboxId]))!.count;
}
