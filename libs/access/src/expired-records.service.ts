import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

const REASON = 'Upkeep takes what has ended from all accounts alike';

/** Rows that one statement takes: its locks are short, and whoever needs one of them hardly waits. */
const BATCH = 2_000;

/** $1 is now, $2 how many at most. Rows somebody is busy with are left for the next time. */
const purge = (name: string, change: string, ended: { table: string; where: string }) =>
  systemStatement(
    `expiry_${name}`,
    REASON,
    `with changed as (
       ${change} where ctid = any(array(
         select ctid from ${ended.table} where ${ended.where} limit $2 for update skip locked))
       returning 1
     ) select count(*)::int as count from changed`,
  );

const removal = (table: string, where: string) => purge(table, `delete from ${table}`, { table, where });

/** A spent code is kept a day, and a spent refresh token until it would have ended: a second use must be recognised. */
const PURGES = {
  codes: removal('authorization_codes', "expires_at < $1::timestamptz - interval '1 day'"),
  tokens: removal('tokens', 'expires_at < $1'),
  salts: purge('salts', 'update tokens set retry_salt = null', {
    table: 'tokens',
    where: "retry_salt is not null and consumed_at < $1::timestamptz - interval '5 minutes'",
  }),
  sessions: removal('sessions', 'expires_at < $1'),
  visits: removal('visits', 'expires_at < $1'),
  challenges: removal('sign_in_challenges', 'expires_at < $1'),
  set_ups: removal('authenticators', "confirmed_at is null and created_at < $1::timestamptz - interval '1 day'"),
  links: removal('single_use_links', 'expires_at < $1'),
  throttles: removal('throttles', 'ends_at < $1'),
};

export type PurgedCounts = { readonly [Kind in keyof typeof PURGES]: number };

/** What upkeep removes. Nothing of it is still valid: validity is decided by time when it is asked, not by this. */
@Injectable()
export class ExpiredRecordsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** A few of each kind: called again for as long as it finds something. Round trips: 9. */
  async purge(): Promise<PurgedCounts> {
    const counts: Record<string, number> = {};
    for (const [kind, statement] of Object.entries(PURGES)) {
      const row = await this.database.system().row<{ count: number }>(statement, [this.clock.now(), BATCH]);
      counts[kind] = row?.count ?? 0;
    }
    return counts as PurgedCounts;
  }
}
