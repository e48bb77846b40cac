import { type SystemConnection, arrayLiteral, filter, systemStatement } from '#libs/database';
import type { WebhookSecret } from '#libs/entities';
import type { DueDelivery, LeasedDelivery, LoadedEvent } from './due-delivery.js';

const WEBHOOK = `w.id as webhook_id, w.event as kind, w.url, w.state, w.retry_after_until,
  coalesce(w.slow_until > $1, false) as is_slow, w.publicly_signed, w.headers_id`;

/** Payloads of a batch, which workers hold as text and as bytes. The first one may be larger. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

const BYTES_BEFORE = 'sum(octet_length(e.payload)) over earlier - octet_length(e.payload)';

/** Secrets come as ids, newest first; a replaced one signs until it expires. A shared event comes once. */
const loadFrom = (source: string, deliveryId: string): string =>
  `select ${deliveryId} as "deliveryId", o.account_id as "accountId", o.webhook_id as "webhookId", o.attempts,
    o.kind, o.url, o.state as "webhookState", o.retry_after_until as "retryAfterUntil", o.is_slow as "isSlow",
    o.publicly_signed as "publiclySigned", o.headers_id as "headersId",
    (select string_agg(s.id::text, ' ' order by s.created_at desc) from webhook_secrets s
     where s.webhook_id = o.webhook_id and s.signs and (s.expires_at is null or s.expires_at > $1)) as "secretIds",
    o.event_id as "eventId", e.sequence, e.test, case when ${BYTES_BEFORE} < ${MAX_BATCH_BYTES} then e.payload end as payload,
    coalesce(${BYTES_BEFORE} >= ${MAX_BATCH_BYTES}, false) as "isPostponed", e.request_id as "requestId",
    e.cause, e.traceparent, e.created_at as "eventCreatedAt"
  from (select *, row_number() over (partition by event_id) = 1 as with_event from (${source}) x) o
  left join lateral (select * from events where id = o.event_id and o.with_event limit 1) e on true
  window earlier as (rows unbounded preceding)`;

const LOAD_OWED = systemStatement(
  'delivery_load',
  'A batch holds deliveries of many accounts; each row is read with its own webhook, secrets and event',
  loadFrom(
    `select d.delivery_id, d.account_id, d.event_id, d.attempts, ${WEBHOOK}
     from unnest($2::uuid[], $3::timestamptz[]) as leased(delivery_id, leased_until)
     cross join lateral (
       select * from owed_deliveries
       where delivery_id = leased.delivery_id and ${filter('due_at = leased.leased_until and queued')} limit 1
     ) d
     cross join lateral (select * from webhooks where id = d.webhook_id limit 1) w`,
    'o.delivery_id',
  ),
);

const LOAD_FIRST = systemStatement(
  'delivery_load_first',
  'A batch holds events of many accounts; each row is read with its own webhook, secrets and event',
  loadFrom(
    `select d.account_id, d.event_id, 0 as attempts, ${WEBHOOK}
     from unnest($2::uuid[]) as wanted(event_id)
     cross join lateral (select * from outbox where express and event_id = wanted.event_id limit 1) d
     cross join lateral unnest(d.webhook_ids) as u(id)
     cross join lateral (select * from webhooks where id = u.id limit 1) w`,
    'new_uuid_at($1)',
  ),
);

export interface DueDeliveryRow
  extends
    Omit<DueDelivery, 'secrets' | 'credentials' | 'event'>,
    Pick<LoadedEvent, 'sequence' | 'test' | 'requestId' | 'cause' | 'traceparent'> {
  readonly secretIds: string | null;
  readonly headersId: string | null;
  readonly eventId: string;
  /** Null in all but one row of an event, and in rows beyond the bytes of a batch. */
  readonly payload: string | null;
  readonly isPostponed: boolean;
  readonly eventCreatedAt: Date;
}

export function readOwedDeliveries(
  db: SystemConnection,
  leased: readonly LeasedDelivery[],
  now: Date,
): Promise<DueDeliveryRow[]> {
  const ids = arrayLiteral(leased.map(({ deliveryId }) => deliveryId));
  const leases = arrayLiteral(leased.map(({ leasedUntil }) => leasedUntil));
  return db.rows<DueDeliveryRow>(LOAD_OWED, [now, ids, leases]);
}

/** Deliveries of express events. They have no rows yet. */
export const readFirstDeliveries = (
  db: SystemConnection,
  eventIds: readonly string[],
  now: Date,
): Promise<DueDeliveryRow[]> => db.rows<DueDeliveryRow>(LOAD_FIRST, [now, arrayLiteral(eventIds)]);

const SELECT_SECRETS = systemStatement(
  'delivery_secrets',
  'A batch signs for webhooks of many accounts; each secret is named by its own id',
  `select id, webhook_id as "webhookId", sealed, key_id as "keyId" from webhook_secrets where id = any($1::uuid[])`,
);

export type SealedSecret = Pick<WebhookSecret, 'id' | 'webhookId' | 'sealed' | 'keyId'>;

export const readSecrets = (db: SystemConnection, ids: readonly string[]): Promise<SealedSecret[]> =>
  db.rows<SealedSecret>(SELECT_SECRETS, [ids]);
