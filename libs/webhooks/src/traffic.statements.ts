import { type AccountConnection, MAX_UUID, accountStatement, rangeOf } from '#libs/database';

/** Bounds the cost of a page with a backlog. */
const MAX_COUNTED = 1_000;

const MAX_WEBHOOKS = 1_000;

const HOURS = `select c.hour, sum(c.delivered)::int as delivered, sum(c.retried)::int as retried, sum(c.given_up)::int as "givenUp",
    sum(c.duration_ms)::float as "durationMs", max(c.longest_ms) as "longestMs"`;

/**
 * Retries have an index. The others are counted from the queue’s front, because each delivery would write an index on
 * them.
 */
const owedTo = (limit: string): string => `cross join lateral (
     select count(*)::int as retrying, count(*) >= ${limit} as retrying_more from (
       select from owed_deliveries o where o.webhook_id = w.id and o.attempts > 0 limit ${limit}) x) r
   cross join lateral (
     select (count(*) filter (where attempts = 0))::int as waiting, count(*) >= ${limit} as waiting_more,
       min(delivery_id::text)::uuid as oldest, count(*)::int as pending, min(due_at) as "oldestDueAt"
     from (select o.attempts, o.delivery_id, o.due_at from owed_deliveries o where o.webhook_id = w.id
       order by o.queued, o.due_at limit ${limit}) x) n`;

const owedCount = (count: string, hasMore: string): string =>
  `jsonb_build_object('count', ${count}, 'hasMore', ${hasMore})`;

const OF_WEBHOOKS = accountStatement(
  'traffic_of_webhooks',
  `select w.id, ${owedCount('retrying', 'retrying_more')} as retrying, ${owedCount('waiting', 'waiting_more')} as waiting,
    ${owedCount('pending', 'waiting_more')} as pending, "oldestDueAt",
    (select o.due_at from owed_deliveries o where o.webhook_id = w.id and o.attempts > 0 order by o.due_at limit 1) as "nextAttemptAt",
    (select d.created_at from deliveries d where d.account_id = $1 and ${rangeOf('d.webhook_id', 'w.id')}
      order by d.webhook_id desc, d.id desc limit 1) as "lastAt",
    (select coalesce(jsonb_agg(h order by h.hour), '[]') from (
      ${HOURS} from delivery_counts c where c.webhook_id = w.id and c.hour > $3 group by c.hour) h) as hours
   from webhooks w ${owedTo('$4')} where w.account_id = $1 and w.id = any($2::uuid[])`,
);

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
    ${owedCount('coalesce(sum(retrying), 0)', 'coalesce(bool_or(retrying_more), false)')} as retrying,
    ${owedCount('coalesce(sum(waiting), 0)', 'coalesce(bool_or(waiting_more), false)')} as waiting,
    (select d.created_at from deliveries d where d.account_id = $1
       and d.id = (select oldest from owed order by oldest limit 1)) as "oldestOwedAt",
    (select coalesce(jsonb_agg(h order by h.hour), '[]') from (
      ${HOURS} from delivery_counts c where c.account_id = $1 and c.hour > $2 group by c.hour) h) as hours,
    (select coalesce(jsonb_agg(b order by b.hour), '[]') from (
      select hour, owed, oldest_seconds as "oldestSeconds" from backlog_hours where account_id = $1 and hour > $2) b) as backlog
   from owed`,
);

export interface TrafficCount {
  readonly delivered: number;
  readonly retried: number;
  readonly givenUp: number;
  readonly durationMs: number;
  readonly longestMs: number;
}

export interface TrafficHour extends TrafficCount {
  readonly hour: Date;
}

/** `hasMore` if counting stopped at its limit. */
export interface OwedCount {
  readonly count: number;
  readonly hasMore: boolean;
}

export interface Traffic {
  /** Oldest first, up to the current hour. */
  readonly hours: readonly TrafficHour[];
  readonly total: TrafficCount;
  readonly retrying: OwedCount;
  readonly waiting: OwedCount;
}

export interface WebhookTraffic extends Traffic {
  readonly pending: OwedCount;
  readonly oldestDueAt: Date | null;
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
  readonly oldestOwedAt: Date | null;
  readonly backlog: readonly BacklogHour[];
}

export type StoredHour = Omit<TrafficHour, 'hour'> & { readonly hour: string };
type TrafficRow<T> = Omit<T, 'hours' | 'total'> & { readonly hours: readonly StoredHour[] };

export const readTrafficOfWebhooks = (account: AccountConnection, ids: readonly string[], since: Date) =>
  account.rows<TrafficRow<WebhookTraffic> & { readonly id: string }>(OF_WEBHOOKS, [ids, since, MAX_COUNTED]);

/** Bounds the cost of a time with many deliveries. */
const MAX_SEARCHED = 10_000;

const COUNT_CANCELLED = accountStatement(
  'webhook_count_cancelled',
  `select count(*) filter (where state = 'cancelled')::int as count from (
     select d.state from deliveries d where d.account_id = $1 and (d.webhook_id, d.id) >= ($2, uuid_at($3))
       and (d.webhook_id, d.id) <= ($2, '${MAX_UUID}') order by d.webhook_id desc, d.id desc limit ${MAX_SEARCHED}) newest`,
);

export const countCancelled = async (account: AccountConnection, webhookId: string, since: Date): Promise<number> =>
  (await account.row<{ count: number }>(COUNT_CANCELLED, [webhookId, since]))!.count;

export const readTrafficOfAccount = async (account: AccountConnection, since: Date, failingBefore: Date) =>
  (await account.row<TrafficRow<AccountTraffic>>(OF_ACCOUNT, [since, MAX_COUNTED, failingBefore]))!;
