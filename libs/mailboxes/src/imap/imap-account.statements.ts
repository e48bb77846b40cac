import { type AccountConnection, type AccountTx, accountStatement } from '#libs/database';
import { ImapAccount, NotFound } from '#libs/entities';
import type { ImapLease } from './imap-lease.statements.js';

export const readImapAccount = (account: AccountConnection, mailboxId: string): Promise<ImapAccount | null> =>
  account.repository(ImapAccount).findOne({ id: mailboxId });

/** Clears the connection’s state, and takes the lease from the worker that has the old settings. */
const RESET = `lease = null, leased_until = null, due_at = clock_timestamp(), tries = 0, stuck_uid = null, stuck_tries = 0,
  connected_at = null, failing_since = null, last_error = null`;

/** Another folder or user has other emails, so all state is reset. */
const HAS_OTHER_MAILS = 'i.username <> excluded.username or i.folder <> excluded.folder';
/** Sets a UIDVALIDITY that no server uses, so that the new server’s emails are compared with those received. */
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

const REPLACE_SECRET = accountStatement(
  'imap_secret_replace',
  'update imap_accounts set sealed = $4, key_id = $5 where account_id = $1 and id = $2 and lease = $3',
);

/** Changes nothing if another worker has the lease. */
export async function replaceSecret(
  account: AccountConnection,
  { id, lease }: ImapLease,
  { sealed, keyId }: Pick<ImapAccount, 'sealed' | 'keyId'>,
): Promise<void> {
  await account.rows(REPLACE_SECRET, [id, lease, sealed, keyId]);
}
