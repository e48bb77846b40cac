import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

const REASON = 'Upkeep takes what has ended from all accounts alike';

/** Rows that one statement takes: its locks are short, and whoever needs one of them hardly waits. */
const BATCH = 2_000;

/** $1 is now, $2 how many at most. Rows somebody is busy with are left for the next time. */
const ended = (table: string, where: string): string =>
  `select ctid from ${table} where ${where} limit $2 for update skip locked`;

const removal = (table: string, where: string) =>
  systemStatement(
    `expiry_${table}`,
    REASON,
    `with gone as (delete from ${table} where ctid = any(array(${ended(table, where)})) returning 1)
     select count(*)::int as count from gone`,
  );

/** A spent code is kept a day, and a spent refresh token until it would have ended: a second use must be recognised. */
const PURGES = {
  codes: removal('authorization_codes', "expires_at < $1::timestamptz - interval '1 day'"),
  tokens: removal('tokens', 'expires_at < $1'),
  salts: systemStatement(
    'expiry_salts',
    REASON,
    `with spent as (
       update tokens set retry_salt = null where ctid = any(array(
         ${ended('tokens', "retry_salt is not null and consumed_at < $1::timestamptz - interval '5 minutes'")}))
       returning 1
     ) select count(*)::int as count from spent`,
  ),
  sessions: removal('sessions', 'expires_at < $1'),
  visits: removal('visits', 'expires_at < $1'),
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

  /** A few of each kind: called again for as long as it finds something. Round trips: 7. */
  async purge(): Promise<PurgedCounts> {
    const counts: Record<string, number> = {};
    for (const [kind, statement] of Object.entries(PURGES)) {
      const row = await this.database.system().row<{ count: number }>(statement, [this.clock.now(), BATCH]);
      counts[kind] = row?.count ?? 0;
    }
    return counts as PurgedCounts;
  }
}
