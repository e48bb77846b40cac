import { Database, columns, hydrate, systemStatement } from '#libs/database';
import { ImapAccount } from '#libs/entities';
import { Injectable } from '@nestjs/common';

const REASON = 'Workers hold the mailboxes of all accounts';

/** By the clock of the database. A worker that is gone is missed for as long. */
const LEASE = "interval '20 seconds'";

/** What nobody has and may be taken, for at least $1 seconds. */
const FREE = `not paused and due_at <= clock_timestamp() - make_interval(secs => $1)
  and (leased_until is null or leased_until <= clock_timestamp() - make_interval(secs => $1))`;

const COUNT = systemStatement(
  'imap_count',
  REASON,
  `select count(*)::int as total, (count(*) filter (where ${FREE}))::int as free from imap_accounts where not paused`,
);

const CLAIM = systemStatement(
  'imap_claim',
  REASON,
  `update imap_accounts i set lease = gen_random_uuid(), leased_until = clock_timestamp() + ${LEASE}, connected_at = null
   where id = any(array(select id from imap_accounts where ${FREE} order by due_at limit $2 for update skip locked))
   returning ${columns(ImapAccount, 'i')}`,
);

const RENEW = systemStatement(
  'imap_renew',
  REASON,
  `update imap_accounts i set leased_until = clock_timestamp() + ${LEASE},
     heard_at = greatest(i.heard_at, clock_timestamp() - make_interval(secs => h.age))
   from unnest($1::uuid[], $2::uuid[], $3::float8[]) h (id, lease, age) where i.id = h.id and i.lease = h.lease
   returning i.id, i.compare_since as "compareSince", exists (
     select from imap_imports x where x.id = i.id and x.ended_at is null and x.due_at <= clock_timestamp()) as "hasImport"`,
);

const RELEASE = systemStatement(
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

/** A mailbox that a worker has, until somebody else has. */
export type LeasedImap = ImapAccount & { readonly lease: string };

export interface HeldImap {
  readonly id: string;
  readonly lease: string;
  /** How long ago its server was heard of. */
  readonly heardAgoMs: number | null;
}

/** What was asked for since. */
export interface RenewedImap {
  /** Since when it is to be compared with its server. */
  readonly compareSince: Date | null;
  /** Its older mail is to be brought in. */
  readonly hasImport: boolean;
}

export interface ImapRelease {
  readonly pauseMs: number;
  /** Why the connection ended, unless it was meant to. */
  readonly error: string | null;
  /** The mail at which it did. */
  readonly stuckUid: number | null;
}

/** Which worker has which mailbox. Each of these is one round trip. */
@Injectable()
export class ImapLeasesService {
  constructor(private readonly database: Database) {}

  async count(): Promise<{ total: number; free: number }> {
    return (await this.database.system().row(COUNT, [0])) as { total: number; free: number };
  }

  /** `free` for how long nobody has wanted them. */
  async claim(most: number, { freeForMs }: { readonly freeForMs: number }): Promise<LeasedImap[]> {
    const rows = await this.database.system().rows(CLAIM, [freeForMs / 1000, most]);
    return rows.map((row) => hydrate(ImapAccount, row, 'i') as LeasedImap);
  }

  /** Those that are still held. */
  async renew(held: readonly HeldImap[]): Promise<Map<string, RenewedImap>> {
    if (held.length === 0) return new Map();
    const ages = held.map(({ heardAgoMs }) => (heardAgoMs === null ? null : heardAgoMs / 1000));
    const values = [held.map(({ id }) => id), held.map(({ lease }) => lease), ages];
    const rows = await this.database.system().rows<RenewedImap & { id: string }>(RENEW, values);
    return new Map(rows.map(({ id, ...renewed }) => [id, renewed]));
  }

  async release({ id, lease }: LeasedImap, { pauseMs, error, stuckUid }: ImapRelease): Promise<void> {
    await this.database.system().rows(RELEASE, [id, lease, pauseMs / 1000, error, stuckUid]);
  }
}
