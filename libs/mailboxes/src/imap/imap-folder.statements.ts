import { type AccountConnection, type AccountTx, accountStatement, arraysOf } from '#libs/database';
import type { ImapAccount } from '#libs/entities';
import type { ImapLease } from './imap-lease.statements.js';

/** Locks the row: a worker that takes over waits for this commit or makes it fail. */
const UNDER_LEASE = 'where account_id = $1 and id = $2 and lease = $3 returning id';

const ADVANCE_FOLDER = accountStatement(
  'imap_advance',
  `update imap_accounts set last_uid = greatest(last_uid, $4), last_response_at = clock_timestamp(), tries = 0 ${UNDER_LEASE}`,
);

/** Like the others below, returns false if another worker has the lease. */
export async function advanceFolder(tx: AccountTx, { id, lease }: ImapLease, upTo: number): Promise<boolean> {
  return (await tx.row(ADVANCE_FOLDER, [id, lease, upTo])) !== undefined;
}

/** Null in `compareSince`: there is nothing to compare. */
export type Numbering = Pick<ImapAccount, 'generation' | 'uidValidity' | 'compareSince'> & { readonly lastUid: number };

const RENUMBER_FOLDER = accountStatement(
  'imap_renumber',
  `update imap_accounts set generation = $4, uid_validity = $5, last_uid = $6, last_response_at = clock_timestamp(),
     compare_since = least(compare_since, $7::timestamptz),
     compared_at = case when $7::timestamptz is null then clock_timestamp() end ${UNDER_LEASE}`,
);

export async function renumberFolder(tx: AccountTx, { id, lease }: ImapLease, to: Numbering): Promise<boolean> {
  const { generation, uidValidity, lastUid, compareSince } = to;
  const values = [id, lease, generation, uidValidity, lastUid, compareSince];
  return (await tx.row(RENUMBER_FOLDER, values)) !== undefined;
}

const END_COMPARISON = accountStatement(
  'imap_end_comparison',
  `update imap_accounts set compared_at = clock_timestamp(), compare_since = null, last_response_at = clock_timestamp()
   ${UNDER_LEASE}`,
);

export async function endComparison(tx: AccountTx, { id, lease }: ImapLease): Promise<boolean> {
  return (await tx.row(END_COMPARISON, [id, lease])) !== undefined;
}

const SETTLE_CONNECTION = accountStatement(
  'imap_settle',
  `update imap_accounts set connected_at = clock_timestamp(), last_response_at = clock_timestamp(), tries = 0,
     failing_since = null, last_error = null, stuck_uid = null, stuck_tries = 0 ${UNDER_LEASE}`,
);

export async function settleConnection(account: AccountConnection, { id, lease }: ImapLease): Promise<boolean> {
  return (await account.row(SETTLE_CONNECTION, [id, lease])) !== undefined;
}

const RECORD_SEEN = accountStatement(
  'imap_mail_record_seen',
  `insert into imap_mails (account_id, mailbox_id, generation, uid, hash, seen_at)
   select $1, $2, $3, m.uid, m.hash, clock_timestamp() from unnest($4::bigint[], $5::text[]) m (uid, hash)
   on conflict do nothing`,
);

export interface SeenMail {
  readonly uid: number;
  readonly hash: string;
}

export function recordSeen(
  tx: AccountTx,
  { id, generation }: Pick<ImapAccount, 'id' | 'generation'>,
  mails: readonly SeenMail[],
): void {
  if (mails.length > 0) tx.send(RECORD_SEEN, [id, generation, ...arraysOf(mails, 'uid', 'hash')]);
}

const KNOWN_HASHES = accountStatement(
  'imap_mail_hashes_known',
  'select distinct hash from imap_mails where account_id = $1 and mailbox_id = $2 and hash = any($3::text[])',
);

export async function findKnownHashes(
  account: AccountConnection,
  mailboxId: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await account.rows<{ hash: string }>(KNOWN_HASHES, [mailboxId, hashes]);
  return new Set(rows.map(({ hash }) => hash));
}

const KNOWN_UIDS = accountStatement(
  'imap_mail_uids_known',
  `select uid::float8 as uid from imap_mails
   where account_id = $1 and mailbox_id = $2 and generation = $3 and uid = any($4::bigint[])`,
);

export async function findKnownUids(
  account: AccountConnection,
  { id, generation }: Pick<ImapAccount, 'id' | 'generation'>,
  uids: readonly number[],
): Promise<Set<number>> {
  const rows = await account.rows<{ uid: number }>(KNOWN_UIDS, [id, generation, uids]);
  return new Set(rows.map(({ uid }) => uid));
}

/** Longer than the compared period. After a renumbering, older emails are known by hash only. */
const FORGET_SEEN = accountStatement(
  'imap_mail_forget_seen',
  `delete from imap_mails where account_id = $1 and mailbox_id = $2 and seen_at < clock_timestamp() - interval '40 days'`,
);

export function forgetSeen(tx: AccountTx, mailboxId: string): void {
  tx.send(FORGET_SEEN, [mailboxId]);
}
