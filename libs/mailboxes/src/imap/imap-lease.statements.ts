import { accountStatement, columns, systemStatement } from '#libs/database';
import { ImapAccount } from '#libs/entities';

export type LeasedImap = ImapAccount & { readonly lease: string };

export type HeldImap = Pick<LeasedImap, 'id' | 'lease'> & { readonly lastResponseAgoMs: number | null };

export interface RenewedImap {
  /** Compare mails since this time with the server. */
  readonly compareSince: Date | null;
  readonly hasImport: boolean;
}

export interface ImapRelease {
  readonly pauseMs: number;
  /** Null if the connection ended as intended. */
  readonly error: string | null;
  readonly stuckUid: number | null;
}

const REASON = 'Workers lease the mailboxes of all accounts';

/** The mailboxes of a worker that died are idle for as long. */
const LEASE = "interval '20 seconds'";

const FREE = `not paused and due_at <= clock_timestamp() - make_interval(secs => $1)
  and (leased_until is null or leased_until <= clock_timestamp() - make_interval(secs => $1))`;

export const COUNT_MAILBOXES = systemStatement(
  'imap_count',
  REASON,
  `select count(*)::int as total, (count(*) filter (where ${FREE}))::int as free from imap_accounts where not paused`,
);

export const CLAIM_MAILBOXES = systemStatement(
  'imap_claim',
  REASON,
  `update imap_accounts i set lease = gen_random_uuid(), leased_until = clock_timestamp() + ${LEASE}, connected_at = null
   where id = any(array(select id from imap_accounts where ${FREE} order by due_at limit $2 for update skip locked))
   returning ${columns(ImapAccount, 'i')}`,
);

export const RENEW_LEASES = systemStatement(
  'imap_renew',
  REASON,
  `update imap_accounts i set leased_until = clock_timestamp() + ${LEASE},
     last_response_at = greatest(i.last_response_at, clock_timestamp() - make_interval(secs => h.age))
   from unnest($1::uuid[], $2::uuid[], $3::float8[]) h (id, lease, age) where i.id = h.id and i.lease = h.lease
   returning i.id, i.compare_since as "compareSince", exists (
     select from imap_imports x where x.id = i.id and x.ended_at is null and x.due_at <= clock_timestamp()) as "hasImport"`,
);

export const RELEASE_LEASE = systemStatement(
  'imap_release',
  REASON,
  `update imap_accounts set lease = null, leased_until = null, connected_at = null,
     due_at = clock_timestamp() + make_interval(secs => $3), tries = case when $4::text is null then tries else tries + 1 end,
     last_error = coalesce($4, last_error),
     failing_since = case when $4::text is null then failing_since else coalesce(failing_since, clock_timestamp()) end,
     stuck_tries = case when $5::bigint is null then stuck_tries when stuck_uid = $5 then stuck_tries + 1 else 1 end,
     stuck_uid = coalesce($5, stuck_uid)
   where id = $1 and lease = $2`,
);

/** Locks the row: a worker that takes over waits for this commit or makes it fail. */
const UNDER_LEASE = 'where account_id = $1 and id = $2 and lease = $3 returning id';

export const ADVANCE_FOLDER = accountStatement(
  'imap_advance',
  `update imap_accounts set last_uid = greatest(last_uid, $4), last_response_at = clock_timestamp(), tries = 0 ${UNDER_LEASE}`,
);

export const RENUMBER_FOLDER = accountStatement(
  'imap_renumber',
  `update imap_accounts set generation = $4, uid_validity = $5, last_uid = $6, last_response_at = clock_timestamp(),
     compare_since = least(compare_since, $7::timestamptz),
     compared_at = case when $7::timestamptz is null then clock_timestamp() end ${UNDER_LEASE}`,
);

export const END_COMPARISON = accountStatement(
  'imap_end_comparison',
  `update imap_accounts set compared_at = clock_timestamp(), compare_since = null, last_response_at = clock_timestamp()
   ${UNDER_LEASE}`,
);

export const SETTLE_CONNECTION = accountStatement(
  'imap_settle',
  `update imap_accounts set connected_at = clock_timestamp(), last_response_at = clock_timestamp(), tries = 0,
     failing_since = null, last_error = null, stuck_uid = null, stuck_tries = 0 ${UNDER_LEASE}`,
);

export const RECORD_SEEN = accountStatement(
  'imap_mail_record_seen',
  `insert into imap_mails (account_id, mailbox_id, generation, uid, hash, seen_at)
   select $1, $2, $3, m.uid, m.hash, clock_timestamp() from unnest($4::bigint[], $5::text[]) m (uid, hash)
   on conflict do nothing`,
);

export const KNOWN_HASHES = accountStatement(
  'imap_mail_hashes_known',
  'select distinct hash from imap_mails where account_id = $1 and mailbox_id = $2 and hash = any($3::text[])',
);

export const KNOWN_UIDS = accountStatement(
  'imap_mail_uids_known',
  `select uid::float8 as uid from imap_mails
   where account_id = $1 and mailbox_id = $2 and generation = $3 and uid = any($4::bigint[])`,
);

/** Longer than the compared period. After a renumbering, older mails are known by hash only. */
export const FORGET_SEEN = accountStatement(
  'imap_mail_forget_seen',
  `delete from imap_mails where account_id = $1 and mailbox_id = $2 and seen_at < clock_timestamp() - interval '40 days'`,
);

export interface SeenMail {
  readonly uid: number;
  readonly hash: string;
}

/** Null in `compareSince`: there is nothing to compare. */
export type Numbering = Pick<ImapAccount, 'generation' | 'uidValidity' | 'compareSince'> & { readonly lastUid: number };
