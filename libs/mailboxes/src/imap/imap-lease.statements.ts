import { type SystemConnection, arraysOf, columns, hydrate, systemStatement } from '#libs/database';
import { ImapAccount } from '#libs/entities';

export type LeasedImap = ImapAccount & { readonly lease: string };

export type ImapLease = Pick<LeasedImap, 'id' | 'lease'>;

export type HeldImap = ImapLease & { readonly lastResponseAgoMs: number | null };

export interface RenewedImap {
  /** Compare emails since this time with the server. */
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

const COUNT_MAILBOXES = systemStatement(
  'imap_count',
  REASON,
  `select count(*)::int as total, (count(*) filter (where ${FREE}))::int as free from imap_accounts where not paused`,
);

export interface MailboxCount {
  readonly total: number;
  readonly free: number;
}

export async function countMailboxes(db: SystemConnection): Promise<MailboxCount> {
  return (await db.row<MailboxCount>(COUNT_MAILBOXES, [0]))!;
}

const CLAIM_MAILBOXES = systemStatement(
  'imap_claim',
  REASON,
  `update imap_accounts i set lease = gen_random_uuid(), leased_until = clock_timestamp() + ${LEASE}, connected_at = null
   where id = any(array(select id from imap_accounts where ${FREE} order by due_at limit $2 for update skip locked))
   returning ${columns(ImapAccount, 'i')}`,
);

/** Claims mailboxes that have been due and without a lease for `freeForMs`. */
export async function claimMailboxes(
  db: SystemConnection,
  { limit, freeForMs }: { readonly limit: number; readonly freeForMs: number },
): Promise<LeasedImap[]> {
  const rows = await db.rows(CLAIM_MAILBOXES, [freeForMs / 1000, limit]);
  return rows.map((row) => hydrate(ImapAccount, row, 'i') as LeasedImap);
}

const RENEW_LEASES = systemStatement(
  'imap_renew',
  REASON,
  `update imap_accounts i set leased_until = clock_timestamp() + ${LEASE},
     last_response_at = greatest(i.last_response_at, clock_timestamp() - make_interval(secs => h.age))
   from unnest($1::uuid[], $2::uuid[], $3::float8[]) h (id, lease, age) where i.id = h.id and i.lease = h.lease
   returning i.id, i.compare_since as "compareSince", exists (
     select from imap_imports x where x.id = i.id and x.ended_at is null and x.due_at <= clock_timestamp()) as "hasImport"`,
);

/** Keyed by id. Lost leases are absent. */
export async function renewLeases(db: SystemConnection, held: readonly HeldImap[]): Promise<Map<string, RenewedImap>> {
  const ages = held.map(({ lastResponseAgoMs }) => (lastResponseAgoMs === null ? null : lastResponseAgoMs / 1000));
  const rows = await db.rows<RenewedImap & { id: string }>(RENEW_LEASES, [...arraysOf(held, 'id', 'lease'), ages]);
  return new Map(rows.map(({ id, ...renewed }) => [id, renewed]));
}

const RELEASE_LEASE = systemStatement(
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

export async function releaseLease(
  db: SystemConnection,
  { id, lease }: ImapLease,
  { pauseMs, error, stuckUid }: ImapRelease,
): Promise<void> {
  await db.rows(RELEASE_LEASE, [id, lease, pauseMs / 1000, error, stuckUid]);
}
