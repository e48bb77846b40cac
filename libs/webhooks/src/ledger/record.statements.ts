import { type SystemConnection, arrayLiteral, byKey, snakeCase, systemStatement } from '#libs/database';
import type { Attempt, DeliveryState } from '#libs/entities';
import { COUNT_ATTEMPTS } from '../counts/traffic.statements.js';

/** `nextAttemptAt` is null if the delivery is settled. */
export interface AttemptRecord extends Omit<Attempt, 'requestHeaders'> {
  readonly requestHeaders: string;
  readonly state: DeliveryState;
  /** The receiver asked for a pause until then. */
  readonly pacedUntil: Date | null;
  /** A timed-out webhook gets only a probe until then. */
  readonly slowUntil: Date | null;
}

/** Excludes texts that receivers control. */
const PLAIN_COLUMNS = {
  uuid: ['id', 'accountId', 'webhookId', 'deliveryId'],
  int: ['number', 'durationMs', 'status'],
  text: ['error', 'nextReason', 'state'],
  timestamptz: ['startedAt', 'nextAttemptAt', 'pacedUntil', 'slowUntil'],
} as const;

const PLAIN = Object.entries(PLAIN_COLUMNS).flatMap(([type, names]) => names.map((name) => ({ name, type })));
const PLAIN_PARAMETERS = PLAIN.map(({ type }, place) => `$${place + 5}::${type}[]`).join(', ');
const PLAIN_NAMES = PLAIN.map(({ name }) => snakeCase(name)).join(', ');

const RECORDED = `r.delivery_id, r.account_id, r.webhook_id, r.state, r.number, r.next_attempt_at, r.status, r.error,
       r.duration_ms`;

/**
 * A record counts only for its own attempt: written twice, or after a cancellation, it only adds to the log. Every
 * statement locks owed rows first, ordered by id, so that none deadlocks. A webhook’s row is written only when its
 * health changes.
 */
const RECORD = systemStatement(
  'delivery_record',
  'A batch holds attempts of many accounts; each row carries its own account',
  `with record as materialized (
     select * from unnest($2::text[], $3::text[], string_to_array($4, chr(10)), ${PLAIN_PARAMETERS})
     as r(error_detail, response_body, request_headers, ${PLAIN_NAMES})
   ), settled as (
     delete from owed_deliveries o using record r
     where ${byKey('o.delivery_id', 'r.delivery_id')} and o.attempts = r.number - 1 and r.next_attempt_at is null
     returning ${RECORDED}
   ), postponed as (
     update owed_deliveries o set queued = false, attempts = r.number, feed_at = r.next_attempt_at from record r
     where ${byKey('o.delivery_id', 'r.delivery_id')} and o.attempts = r.number - 1 and r.next_attempt_at is not null
     returning ${RECORDED}
   ), history as (
     update deliveries d set state = r.state, attempts = r.number, next_attempt_at = r.next_attempt_at,
       last_status = r.status, last_error = r.error, finished_at = case when r.next_attempt_at is null then $1::timestamptz end
     from (select * from settled union all select * from postponed) r where ${byKey('d.id', 'r.delivery_id')}
   ), counted as (
     ${COUNT_ATTEMPTS}
   ), log as (
     insert into attempts (id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status, error,
       error_detail, response_body, request_headers, next_reason, next_attempt_at)
     select id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status, error,
       error_detail, response_body, request_headers::json, next_reason, next_attempt_at from record
   ), outcome as (
     select webhook_id, bool_or(state = 'delivered') as well, max(paced_until) as paced_until, max(slow_until) as slow_until
     from record group by webhook_id
   ), changed as (
     select w.id, o.* from outcome o join webhooks w on ${byKey('w.id', 'o.webhook_id')}
     where (o.well and (w.failing_since is not null or (w.slow_until is not null and o.slow_until is null)))
       or (not o.well and w.failing_since is null)
       or o.paced_until > coalesce(w.paced_until, '-infinity')
       or o.slow_until > coalesce(w.slow_until, '-infinity') + interval '10 seconds'
     order by w.id for update of w
   )
   update webhooks w set
     failing_since = case when c.well then null else coalesce(w.failing_since, $1) end,
     paced_until = greatest(w.paced_until, c.paced_until),
     slow_until = case when c.slow_until is not null then c.slow_until when c.well then null else w.slow_until end
   from changed c where ${byKey('w.id', 'c.id')}`,
);

/** Safe to repeat after an error. */
export async function recordAttempts(db: SystemConnection, records: readonly AttemptRecord[], now: Date) {
  const sorted = records.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  await db.rows(RECORD, [
    now,
    sorted.map(({ errorDetail }) => errorDetail),
    sorted.map(({ responseBody }) => responseBody),
    // JSON has no line breaks, so joined lines need no quoting.
    sorted.map(({ requestHeaders }) => requestHeaders).join('\n'),
    ...PLAIN.map(({ name }) => arrayLiteral(sorted.map((record) => record[name]))),
  ]);
}
