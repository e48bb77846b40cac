import { Clock, Database, accountStatement, filter, later, rangeOf } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { type Traffic, type TrafficHour, filledHours, HOUR_MS, totalOf } from './traffic-hours.js';

/** Of what is owed to a webhook, more are not looked at: what a page costs does not grow with the backlog. */
const MAX_LOOKED_AT = 1_000;

const MAX_WEBHOOKS = 1_000;

const HOURS = `select c.hour, sum(c.delivered)::int as delivered, sum(c.retried)::int as retried, sum(c.given_up)::int as "givenUp",
    sum(c.duration_ms)::float as "durationMs", max(c.longest_ms) as "longestMs"`;

/**
 * What is owed to `w`. What retries has an index of its own. The rest has none, which each delivery would have to pay for:
 * what is due first is looked at, and that is what was not tried yet, the oldest first.
 */
const owedTo = (limit: string): string => `cross join lateral (
     select count(*)::int as retrying, count(*) >= ${limit} as "retryingHasMore" from (
       select from owed_deliveries o where o.webhook_id = w.id and o.attempts > 0 limit ${limit}) x) r
   cross join lateral (
     select (count(*) filter (where attempts = 0))::int as waiting, count(*) >= ${limit} as "waitingHasMore",
       min(delivery_id::text)::uuid as oldest
     from (select o.attempts, o.delivery_id from owed_deliveries o where ${rangeOf('o.webhook_id', 'w.id')}
       order by o.webhook_id, o.queued, o.feed_at limit ${limit}) x) n`;

const OF_WEBHOOKS = accountStatement(
  'traffic_of_webhooks',
  `select w.id, r.*, n.waiting, n."waitingHasMore",
    (select o.feed_at from owed_deliveries o where ${rangeOf('o.webhook_id', 'w.id')} and o.attempts > 0 order by o.webhook_id, o.feed_at limit 1) as "nextAttemptAt",
    (select d.created_at from deliveries d where ${filter('d.account_id = $1')} and ${rangeOf('d.webhook_id', 'w.id')}
      order by d.webhook_id desc, d.id desc limit 1) as "lastAt",
    (select coalesce(jsonb_agg(h order by h.hour), '[]') from (
      ${HOURS} from delivery_counts c where c.webhook_id = w.id and c.hour > $3 group by c.hour) h) as hours
   from webhooks w ${owedTo('$4')} where w.account_id = $1 and w.id = any($2::uuid[])`,
);

/** A webhook whose deliveries have all failed for this long counts as failing: a single retry is no reason to look. */
const FAILING_AFTER_MS = 10 * 60_000;

const OF_ACCOUNT = accountStatement(
  'traffic_of_account',
  `with w as materialized (
     select id from webhooks where account_id = $1 order by id limit ${MAX_WEBHOOKS}
   ), owed as materialized (
     select r.*, n.* from w ${owedTo('$3')}
   )
   select
    (select count(*)::int from webhooks where account_id = $1 and state = 'disabled') as "disabledWebhooks",
    (select count(*)::int from webhooks where account_id = $1 and state = 'active' and failing_since < $4) as "failingWebhooks",
    coalesce(sum(retrying), 0)::int as retrying, coalesce(bool_or("retryingHasMore"), false) as "retryingHasMore",
    coalesce(sum(waiting), 0)::int as waiting, coalesce(bool_or("waitingHasMore"), false) as "waitingHasMore",
    (select d.created_at from deliveries d where d.account_id = $1
       and d.id = (select oldest from owed order by oldest limit 1)) as "oldestOwedAt",
    (select coalesce(jsonb_agg(h order by h.hour), '[]') from (
      ${HOURS} from delivery_counts c where c.account_id = $1 and c.hour > $2 group by c.hour) h) as hours,
    (select coalesce(jsonb_agg(b order by b.hour), '[]') from (
      select hour, owed, oldest_seconds as "oldestSeconds" from backlog_hours where account_id = $1 and hour > $2) b) as backlog
   from owed`,
);

/** What became of the attempts to one webhook, by the hour, and what is owed to it now. */
export interface WebhookTraffic extends Traffic {
  readonly nextAttemptAt: Date | null;
  readonly lastAt: Date | null;
}

export interface BacklogHour {
  readonly hour: Date;
  readonly owed: number;
  readonly oldestSeconds: number;
}

export interface AccountTraffic extends Traffic {
  readonly disabledWebhooks: number;
  readonly failingWebhooks: number;
  /** Where more are owed than were looked at, others may be older. */
  readonly oldestOwedAt: Date | null;
  /** One for each hour, the oldest first. */
  readonly backlog: readonly BacklogHour[];
}

type Row<T> = Omit<T, 'hours' | 'total' | 'retrying' | 'waiting'> & {
  readonly hours: readonly StoredHour[];
  readonly retrying: number;
  readonly retryingHasMore: boolean;
  readonly waiting: number;
  readonly waitingHasMore: boolean;
};
type StoredHour = Omit<TrafficHour, 'hour'> & { readonly hour: string };

/** Reads what was counted as it happened. One round trip each, whatever the history holds. */
@Injectable()
export class TrafficService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** By the ids of those that the account has. */
  async ofWebhooks(accountId: string, ids: readonly string[], hours: number): Promise<Map<string, WebhookTraffic>> {
    const now = this.clock.now();
    const values = [ids, later(now, -hours * HOUR_MS), MAX_LOOKED_AT];
    const rows = await this.database.account(accountId).rows<Row<WebhookTraffic> & { id: string }>(OF_WEBHOOKS, values);
    return new Map(rows.map((row) => [row.id, { ...row, ...trafficOf(row, now, hours) }]));
  }

  async ofAccount(accountId: string, hours: number): Promise<AccountTraffic> {
    const now = this.clock.now();
    const values = [later(now, -hours * HOUR_MS), MAX_LOOKED_AT, later(now, -FAILING_AFTER_MS)];
    const row = (await this.database.account(accountId).row<Row<AccountTraffic>>(OF_ACCOUNT, values))!;
    const noted = new Map(row.backlog.map((hour) => [new Date(hour.hour).getTime(), hour]));
    const traffic = trafficOf(row, now, hours);
    const backlog = traffic.hours.map(({ hour }) => {
      const { owed = 0, oldestSeconds = 0 } = noted.get(hour.getTime()) ?? {};
      return { hour, owed, oldestSeconds };
    });
    return { ...row, ...traffic, backlog };
  }
}

function trafficOf(row: Row<Traffic>, now: Date, count: number): Traffic {
  const stored = row.hours.map((hour) => ({ ...hour, hour: new Date(hour.hour) }));
  const hours = filledHours(stored, now, count);
  const retrying = { count: row.retrying, hasMore: row.retryingHasMore };
  const waiting = { count: row.waiting, hasMore: row.waitingHasMore };
  return { hours, total: totalOf(hours), retrying, waiting };
}
