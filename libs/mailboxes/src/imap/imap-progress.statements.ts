import { type AccountConnection, type AccountTx, accountStatement } from '#libs/database';
import type { LeasedImap } from './imap-leases.service.js';

/** Another worker has the mailbox by now. What this one did is undone. */
export class LeaseLost extends Error {}

/** All of it is written under the lease: the row is locked, so who takes the mailbox over waits for this commit or stops it. */
const UNDER_LEASE = 'where account_id = $1 and id = $2 and lease = $3 returning id';

const MOVE = accountStatement(
  'imap_move',
  `update imap_accounts set last_uid = greatest(last_uid, $4), heard_at = clock_timestamp(), tries = 0 ${UNDER_LEASE}`,
);

const RENUMBER = accountStatement(
  'imap_renumber',
  `update imap_accounts set generation = $4, uid_validity = $5, last_uid = $6, heard_at = clock_timestamp(),
     compare_since = least(compare_since, $7::timestamptz),
     compared_at = case when $7::timestamptz is null then clock_timestamp() end ${UNDER_LEASE}`,
);

const COMPARED = accountStatement(
  'imap_compared',
  `update imap_accounts set compared_at = clock_timestamp(), compare_since = null, heard_at = clock_timestamp()
   ${UNDER_LEASE}`,
);

const SETTLE = accountStatement(
  'imap_settle',
  `update imap_accounts set connected_at = clock_timestamp(), heard_at = clock_timestamp(), tries = 0,
     failing_since = null, last_error = null, stuck_uid = null, stuck_tries = 0 ${UNDER_LEASE}`,
);

const NOTE = accountStatement(
  'imap_mail_note',
  `insert into imap_mails (account_id, mailbox_id, generation, uid, hash, seen_at)
   select $1, $2, $3, m.uid, m.hash, clock_timestamp() from unnest($4::bigint[], $5::text[]) m (uid, hash)
   on conflict do nothing`,
);

const KNOWN_HASHES = accountStatement(
  'imap_mail_hashes_known',
  'select distinct hash from imap_mails where account_id = $1 and mailbox_id = $2 and hash = any($3::text[])',
);

const KNOWN_UIDS = accountStatement(
  'imap_mail_uids_known',
  `select uid::float8 as uid from imap_mails
   where account_id = $1 and mailbox_id = $2 and generation = $3 and uid = any($4::bigint[])`,
);

/** Longer than the mails with which they are compared can be old. Those of a renumbered server are known by hash only. */
const FORGET = accountStatement(
  'imap_mail_forget',
  `delete from imap_mails where account_id = $1 and mailbox_id = $2 and seen_at < clock_timestamp() - interval '40 days'`,
);

export interface NotedMail {
  readonly uid: number;
  readonly hash: string;
}

/** Where a server numbers its mails from. */
export interface Numbering {
  readonly generation: number;
  readonly uidValidity: string;
  readonly lastUid: number;
  /** Since when the mails of the server are to be compared. Null where there is nothing to compare. */
  readonly compareSince: Date | null;
}

export async function moveTo(tx: AccountTx, held: LeasedImap, uid: number): Promise<void> {
  requireLease(await tx.row(MOVE, [held.id, held.lease, uid]));
}

export async function renumber(tx: AccountTx, held: LeasedImap, to: Numbering): Promise<void> {
  const { generation, uidValidity, lastUid, compareSince } = to;
  requireLease(await tx.row(RENUMBER, [held.id, held.lease, generation, uidValidity, lastUid, compareSince]));
}

export async function endComparison(tx: AccountTx, held: LeasedImap): Promise<void> {
  requireLease(await tx.row(COMPARED, [held.id, held.lease]));
  tx.send(FORGET, [held.id]);
}

export async function settle(account: AccountConnection, held: LeasedImap): Promise<void> {
  requireLease(await account.row(SETTLE, [held.id, held.lease]));
}

export function noteMails(tx: AccountTx, { id }: LeasedImap, generation: number, mails: readonly NotedMail[]): void {
  if (mails.length === 0) return;
  tx.send(NOTE, [id, generation, mails.map(({ uid }) => uid), mails.map(({ hash }) => hash)]);
}

export async function knownHashes(
  account: AccountConnection,
  { id }: LeasedImap,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await account.rows<{ hash: string }>(KNOWN_HASHES, [id, hashes]);
  return new Set(rows.map(({ hash }) => hash));
}

export async function knownUids(
  account: AccountConnection,
  { id }: LeasedImap,
  generation: number,
  uids: readonly number[],
): Promise<Set<number>> {
  const rows = await account.rows<{ uid: number }>(KNOWN_UIDS, [id, generation, uids]);
  return new Set(rows.map(({ uid }) => uid));
}

function requireLease(row: unknown): void {
  if (row === undefined) throw new LeaseLost();
}
