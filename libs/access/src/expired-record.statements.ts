import { type SystemConnection, systemStatement } from '#libs/database';

const MAX_PURGED_ROWS = 2_000;

const REASON = 'Upkeep takes what has ended from all accounts alike';

/** $1 is now, $2 the maximum. */
const purge = (name: string, change: string, ended: { table: string; where: string }) =>
  systemStatement(
    `purge_${name}`,
    REASON,
    `with changed as (
       ${change} where ctid = any(array(
         select ctid from ${ended.table} where ${ended.where} limit $2 for update skip locked))
       returning 1
     ) select count(*)::int as count from changed`,
  );

const removal = (table: string, where: string) => purge(table, `delete from ${table}`, { table, where });

/** Spent codes and tokens are kept, so that a second use is detected. */
const PURGES = {
  grants: purge('grants', "update grants set revoked_at = $1, revoked_reason = 'expired'", {
    table: 'grants',
    where: 'expires_at <= $1 and revoked_at is null',
  }),
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

export type PurgedKind = keyof typeof PURGES;

export const PURGED_KINDS = Object.keys(PURGES) as PurgedKind[];

export async function purgeExpired(db: SystemConnection, kind: PurgedKind, now: Date): Promise<number> {
  return (await db.row<{ count: number }>(PURGES[kind], [now, MAX_PURGED_ROWS]))?.count ?? 0;
}
