import { type SystemConnection, arrayLiteral, byKey, snakeCase, systemStatement } from '#libs/database';
import type { Attempt, DeliveryState } from '#libs/entities';
import { countAttempts } from '../delivery-counts.statements.js';
import { webhookHealth } from '../webhook-health.statements.js';
import { byDelivery } from './lease.statements.js';

/** `nextAttemptAt` is null if the delivery is settled. */
export interface AttemptRecord extends Omit<Attempt, 'requestHeaders'> {
  readonly requestHeaders: string;
  readonly state: DeliveryState;
  /** The receiver asked for a pause until then. */
  readonly retryAfterUntil: Date | null;
  /** A timed-out webhook gets only a probe until then. */
  readonly slowUntil: Date | null;
}

/** The first attempt of an event for one webhook. */
export interface FirstRecord extends AttemptRecord {
  readonly eventId: string;
  readonly kind: string;
  /** Otherwise it is still running, or was postponed. */
  readonly ended: boolean;
  /** Whether the attempt is still running. */
  readonly queued: boolean;
  /** Null if the delivery is settled. */
  readonly dueAt: Date | null;
  readonly createdAt: Date;
}

/** Excludes texts that receivers control. */
const PLAIN_COLUMNS = {
  uuid: ['id', 'accountId', 'webhookId', 'deliveryId'],
  int: ['number', 'durationMs', 'status'],
  text: ['error', 'nextReason', 'state'],
  timestamptz: ['startedAt', 'nextAttemptAt', 'retryAfterUntil', 'slowUntil'],
} as const;

const FIRST_COLUMNS = {
  uuid: ['eventId'],
  text: ['kind'],
  boolean: ['ended', 'queued'],
  timestamptz: ['dueAt', 'createdAt'],
} as const;

interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsOf = (byType: Readonly<Record<string, readonly string[]>>): Column[] =>
  Object.entries(byType).flatMap(([type, names]) => names.map((name) => ({ name, type })));

const PLAIN = columnsOf(PLAIN_COLUMNS);
const FIRST = [...PLAIN, ...columnsOf(FIRST_COLUMNS)];

const recordsOf = (columns: readonly Column[]): string =>
  `record as materialized (
     select * from unnest($2::text[], $3::text[], string_to_array($4, chr(10)),
       ${columns.map(({ type }, place) => `$${place + 5}::${type}[]`).join(', ')})
     as r(error_detail, response_body, request_headers, ${columns.map(({ name }) => snakeCase(name)).join(', ')})
   )`;

/** JSON has no line breaks, so joined lines need no quoting. */
const valuesOf = (columns: readonly Column[], records: readonly AttemptRecord[]): unknown[] => [
  records.map(({ errorDetail }) => errorDetail),
  records.map(({ responseBody }) => responseBody),
  records.map(({ requestHeaders }) => requestHeaders).join('\n'),
  ...columns.map(({ name }) => arrayLiteral(records.map((record) => record[name as keyof AttemptRecord]))),
];

const LOG = `insert into attempts (id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status, error,
       error_detail, response_body, request_headers, next_reason, next_attempt_at)
     select id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status, error,
       error_detail, response_body, request_headers::json, next_reason, next_attempt_at`;

const ONLY_ATTEMPT = `json_build_object('id', id, 'startedAt', started_at, 'durationMs', duration_ms, 'status', status,
         'error', error, 'errorDetail', error_detail, 'responseBody', response_body,
         'requestHeaders', request_headers::json, 'nextReason', next_reason)`;

const RECORDED = `r.delivery_id, r.account_id, r.webhook_id, r.state, r.number, r.next_attempt_at, r.status, r.error,
       r.duration_ms`;

/**
 * A record counts only for its own attempt: written twice, or after a cancellation, it only adds to the log. But the
 * confirmation of an earlier attempt settles the delivery too. Every statement locks owed rows first, ordered by id, so
 * that none deadlocks.
 */
const RECORD = systemStatement(
  'delivery_record',
  'A batch holds attempts of many accounts; each row carries its own account',
  `with ${recordsOf(PLAIN)}, settled as (
     delete from owed_deliveries o using record r
     where ${byKey('o.delivery_id', 'r.delivery_id')} and (o.attempts = r.number - 1 or r.state = 'delivered')
       and r.next_attempt_at is null
     returning ${RECORDED}
   ), postponed as (
     update owed_deliveries o set queued = false, attempts = r.number, due_at = r.next_attempt_at from record r
     where ${byKey('o.delivery_id', 'r.delivery_id')} and o.attempts = r.number - 1 and r.next_attempt_at is not null
     returning ${RECORDED}
   ), history as (
     update deliveries d set state = r.state, attempts = greatest(d.attempts, r.number), next_attempt_at = r.next_attempt_at,
       last_status = r.status, last_error = r.error, finished_at = case when r.next_attempt_at is null then $1::timestamptz end
     from (select * from settled union all select * from postponed) r where ${byKey('d.id', 'r.delivery_id')}
   ), counted as (
     ${countAttempts('select * from settled union all select * from postponed')}
   ), log as (
     ${LOG} from record
   ), ${webhookHealth('record')}
   select`,
);

/** Safe to repeat after an error. */
export async function recordAttempts(db: SystemConnection, records: readonly AttemptRecord[], now: Date) {
  await db.rows(RECORD, [now, ...valuesOf(PLAIN, records.toSorted(byDelivery))]);
}

/**
 * Takes events out of the outbox and writes their deliveries once, with the results of the first attempts. An event that
 * the relay has taken by then is left to it. What is owed to a webhook that was disabled by then is cancelled. `is true`
 * makes PostgreSQL hash the events instead of joining.
 */
const RECORD_FIRST = systemStatement(
  'delivery_record_first',
  'A batch holds events of many accounts; each row carries its own account',
  `with ${recordsOf(FIRST)}, done as (
     delete from outbox where event_id = any($${FIRST.length + 5}::uuid[]) and express returning event_id
   ), mine as materialized (
     select r.*, due_at is not null and not exists (
       select from webhooks w where w.id = r.webhook_id and w.state <> 'disabled') as late
     from record r where (event_id in (select event_id from done)) is true
   ), history as (
     insert into deliveries (id, account_id, webhook_id, event_id, kind, state, attempts, next_attempt_at, last_status,
       last_error, finished_at, created_at, only_attempt)
     select delivery_id, account_id, webhook_id, event_id, kind, case when late then 'cancelled' else state end, ended::int,
       case when not late then next_attempt_at end, status, error,
       case when late or due_at is null then $1::timestamptz end, created_at,
       case when due_at is null then ${ONLY_ATTEMPT} end from mine
   ), debt as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
     select delivery_id, account_id, webhook_id, event_id, ended::int, queued, due_at from mine where due_at is not null and not late
   ), attempted as materialized (
     select * from mine where ended
   ), counted as (
     ${countAttempts('select * from attempted')}
   ), log as (
     ${LOG} from attempted where due_at is not null
   ), ${webhookHealth('attempted')}
   select event_id as id from done`,
);

/** Returns the events that were recorded. Safe to repeat after an error. */
export async function recordFirstAttempts(
  db: SystemConnection,
  eventIds: readonly string[],
  records: readonly FirstRecord[],
  now: Date,
): Promise<Set<string>> {
  const values = [now, ...valuesOf(FIRST, records.toSorted(byDelivery)), eventIds.toSorted()];
  return new Set((await db.rows<{ id: string }>(RECORD_FIRST, values)).map(({ id }) => id));
}
