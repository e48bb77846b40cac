import { type AccountConnection, type AccountTx, accountStatement } from '#libs/database';
import { Conflict, ImapAccount, ImapImport, NotFound, existing } from '#libs/entities';

export const readImapAccount = (account: AccountConnection, mailboxId: string): Promise<ImapAccount | null> =>
  account.repository(ImapAccount).findOne({ id: mailboxId });

/** Clears the connection’s state, and takes the lease from the worker that has the old settings. */
const RESET = `lease = null, leased_until = null, due_at = clock_timestamp(), tries = 0, stuck_uid = null, stuck_tries = 0,
  connected_at = null, failing_since = null, last_error = null`;

/** Another folder or user has other mails, so all state is reset. */
const HAS_OTHER_MAILS = 'i.username <> excluded.username or i.folder <> excluded.folder';
/** Sets a UIDVALIDITY that no server uses, so that the new server’s mails are compared with those received. */
const HAS_OTHER_SERVER = 'i.host <> excluded.host or i.port <> excluded.port';

const SAVE = accountStatement(
  'imap_account_save',
  `insert into imap_accounts as i (account_id, id, host, port, security, username, folder, sign_in, token_url, client_id,
     sealed, key_id, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
   on conflict (id) do update set host = $3, port = $4, security = $5, username = $6, folder = $7, sign_in = $8,
     token_url = $9, client_id = $10, sealed = $11, key_id = $12, updated_at = $13, ${RESET},
     generation = i.generation + (case when ${HAS_OTHER_MAILS} then 1 else 0 end),
     compare_since = case when ${HAS_OTHER_MAILS} then null else i.compare_since end,
     uid_validity = case when ${HAS_OTHER_MAILS} then null when i.uid_validity is null then null
       when ${HAS_OTHER_SERVER} then 0 else i.uid_validity end
   where i.account_id = $1`,
);

export type ImapSettings = Pick<
  ImapAccount,
  'host' | 'port' | 'security' | 'username' | 'folder' | 'signIn' | 'tokenUrl' | 'clientId' | 'sealed' | 'keyId'
>;

export async function saveImapAccount(
  tx: AccountTx,
  mailboxId: string,
  settings: ImapSettings,
  now: Date,
): Promise<void> {
  const { host, port, security, username, folder, signIn, tokenUrl, clientId, sealed, keyId } = settings;
  const where = [host, port, security, username, folder];
  await tx.rows(SAVE, [mailboxId, ...where, signIn, tokenUrl, clientId, sealed, keyId, now]);
}

const SET_PAUSED = accountStatement(
  'imap_account_set_paused',
  `update imap_accounts set paused = $3, updated_at = $4, ${RESET} where account_id = $1 and id = $2 and paused <> $3`,
);

export async function setImapPaused(tx: AccountTx, mailboxId: string, paused: boolean, now: Date): Promise<void> {
  await tx.rows(SET_PAUSED, [mailboxId, paused, now]);
}

/** The worker reads this when it renews the lease. */
const RESCAN = accountStatement(
  'imap_account_rescan',
  `update imap_accounts set compare_since = coalesce(compare_since, clock_timestamp() - interval '14 days'),
     due_at = least(due_at, clock_timestamp()) where account_id = $1 and id = $2`,
);

export async function requestRescan(tx: AccountTx, mailboxId: string): Promise<void> {
  await tx.rows(RESCAN, [mailboxId]);
}

export async function deleteImapAccount(tx: AccountTx, mailboxId: string): Promise<void> {
  if ((await tx.repository(ImapAccount).delete({ id: mailboxId })) === 0) throw new NotFound('imap');
}

export const REPLACE_SECRET = accountStatement(
  'imap_secret_replace',
  'update imap_accounts set sealed = $4, key_id = $5 where account_id = $1 and id = $2 and lease = $3',
);

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
    throw new Conflict('import_is_running', 'Older mail is being brought in already. Stop that first.');
  await tx.rows(START, [mailboxId, since, now]);
  return (await findImport(tx, mailboxId))!;
}

const STOP = accountStatement(
  'imap_import_stop',
  `update imap_imports set ended_at = $3, stopped = true where account_id = $1 and id = $2 and ended_at is null
   returning id`,
);

/** Keeps the imported mails. The worker stops before its next batch. */
export async function stopImport(tx: AccountTx, mailboxId: string, now: Date): Promise<void> {
  if (!(await tx.row(STOP, [mailboxId, now]))) throw new NotFound('import');
}

/** Writes only under the lease, and only to the import that the worker started with. */
const UNDER_LEASE = `from imap_accounts i
  where x.account_id = $1 and x.id = $2 and x.started_at = $4 and x.ended_at is null
    and i.account_id = $1 and i.id = $2 and i.lease = $3`;

/** A worker that takes over waits for this commit or makes it fail. */
export const LOCK_IMPORT = accountStatement(
  'imap_import_lock',
  'select id from imap_accounts where account_id = $1 and id = $2 and lease = $3 for share',
);

export const BEGIN_IMPORT = accountStatement(
  'imap_import_begin',
  `update imap_imports x set uid_validity = $5, end_uid = $6, total = $7, last_uid = 0, done = 0 ${UNDER_LEASE} returning x.id`,
);

export const ADVANCE_IMPORT = accountStatement(
  'imap_import_advance',
  `update imap_imports x set last_uid = $5, done = x.done + $6, tries = 0, stuck_uid = null,
     stuck_tries = 0, last_error = null ${UNDER_LEASE} returning x.id`,
);

export const END_IMPORT = accountStatement(
  'imap_import_end',
  `update imap_imports x set ended_at = clock_timestamp(), last_error = null ${UNDER_LEASE} returning x.id`,
);

export const FAIL_IMPORT = accountStatement(
  'imap_import_fail',
  `update imap_imports x set due_at = clock_timestamp() + make_interval(secs => $5), last_error = $6, tries = x.tries + 1,
     stuck_tries = case when $7::bigint is null then x.stuck_tries when x.stuck_uid = $7 then x.stuck_tries + 1 else 1 end,
     stuck_uid = coalesce($7, x.stuck_uid) ${UNDER_LEASE}`,
);

export const COUNT_WAITING = accountStatement(
  'imap_import_count_waiting',
  `select count(*)::int as count from arrivals
   where account_id = $1 and state = 'waiting' and mailbox_id = $2 and received_at is not null`,
);
