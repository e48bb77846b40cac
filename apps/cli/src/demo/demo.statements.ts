import { accountStatement, systemStatement } from '#libs/database';

/** Two first starts at once must not create two demonstration accounts. */
export const FIRST_RUN_LOCK = systemStatement(
  'first_run_alone',
  'It reads no row',
  'select pg_advisory_xact_lock(7311530942)',
);

export const FIND_RECENT_EVENTS = accountStatement(
  'demo_recent_events',
  `select id as "eventId", created_at as "createdAt" from events
   where account_id = $1 and kind = $2 and created_at > $3 order by created_at desc limit 40`,
);

/** The worker updates these counts when it records an attempt. */
export const COUNT_ATTEMPTS = accountStatement(
  'demo_count_attempts',
  `insert into delivery_counts (webhook_id, hour, shard, account_id, delivered, retried, given_up, duration_ms, longest_ms)
   select a.webhook_id, date_trunc('hour', a.started_at, 'UTC'), 0, $1,
     count(*) filter (where a.next_reason is null and d.state = 'delivered'), count(*) filter (where a.next_reason = 'schedule'),
     count(*) filter (where a.next_reason = 'exhausted'), sum(a.duration_ms), max(a.duration_ms)
   from attempts a join deliveries d on d.id = a.delivery_id
   where a.account_id = $1 and a.webhook_id = $2 group by a.webhook_id, 2`,
);
