import { type SystemConnection, arrayLiteral, filter, systemStatement } from '#libs/database';
import type { WebhookSecret } from '#libs/entities';
import type { ClaimedAttempt } from '#libs/webhooks';
import type { DueDelivery, LeasedDelivery } from './due-delivery.js';

/**
 * A shared event comes once, unless it is cached. Secrets come as ids, newest first; a replaced one signs until it
 * expires.
 */
const LOAD = systemStatement(
  'delivery_load',
  'A batch holds deliveries of many accounts; each row is read with its own webhook, secrets and event',
  `select o.delivery_id as "deliveryId", o.account_id as "accountId", o.webhook_id as "webhookId", o.attempts,
     o.kind, o.url, o.state as "webhookState", o.paced_until as "pacedUntil", o.publicly_signed as "publiclySigned",
     (select string_agg(s.id::text, ' ' order by s.created_at desc) from webhook_secrets s
      where s.webhook_id = o.webhook_id and (s.expires_at is null or s.expires_at > $3)) as "secretIds",
     e.id as "eventId", e.sequence, e.test, e.payload, e.request_id as "requestId", e.created_at as "eventCreatedAt"
   from (
     select o.delivery_id, o.account_id, o.webhook_id, o.attempts, w.event as kind, w.url, w.state, w.paced_until, w.publicly_signed,
       o.event_id = any($4::uuid[]) and row_number() over (partition by o.event_id) = 1 as with_event, o.event_id
     from unnest($1::uuid[], $2::timestamptz[]) as leased(delivery_id, leased_until)
     cross join lateral (
       select * from owed_deliveries
       where delivery_id = leased.delivery_id and ${filter('feed_at = leased.leased_until and queued')} limit 1
     ) o
     cross join lateral (select * from webhooks where id = o.webhook_id limit 1) w
   ) o
   left join lateral (select * from events where id = o.event_id and o.with_event limit 1) e on true`,
);

export interface DueDeliveryRow
  extends Omit<ClaimedAttempt, 'eventId'>, Pick<DueDelivery, 'attempts' | 'webhookState' | 'pacedUntil'> {
  /** Null if cached, or in another row. */
  readonly eventId: string | null;
}

export function readDueDeliveries(
  db: SystemConnection,
  leased: readonly LeasedDelivery[],
  { unknownEvents, now }: { readonly unknownEvents: readonly string[]; readonly now: Date },
): Promise<DueDeliveryRow[]> {
  const ids = arrayLiteral(leased.map(({ deliveryId }) => deliveryId));
  const leases = arrayLiteral(leased.map(({ leasedUntil }) => leasedUntil));
  return db.rows<DueDeliveryRow>(LOAD, [ids, leases, now, arrayLiteral(unknownEvents)]);
}

const SELECT_SECRETS = systemStatement(
  'delivery_secrets',
  'A batch signs for webhooks of many accounts; each secret is named by its own id',
  `select id, webhook_id as "webhookId", sealed, key_id as "keyId" from webhook_secrets where id = any($1::uuid[])`,
);

export type SealedSecret = Pick<WebhookSecret, 'id' | 'webhookId' | 'sealed' | 'keyId'>;

export const readSecrets = (db: SystemConnection, ids: readonly string[]): Promise<SealedSecret[]> =>
  db.rows<SealedSecret>(SELECT_SECRETS, [ids]);
