import { systemStatement } from '#libs/database';

export const REPORT_CLOCK = systemStatement(
  'api_clock_report',
  'An API serves all accounts',
  `insert into api_clocks (host, pid, skew_ms, seen_at) values ($1, $2, $3, clock_timestamp())
   on conflict (host, pid) do update set seen_at = excluded.seen_at, skew_ms = excluded.skew_ms`,
);
