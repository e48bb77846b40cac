import { type AccountConnection, accountStatement, columns, hydrate, isUuid } from '#libs/database';
import {
  Attempt,
  Delivery,
  type DeliveryStanding,
  type DeliveryState,
  Event,
  NotFound,
  standingSql,
} from '#libs/entities';
import { Conditions, type PageRequest, loaderOf } from '#libs/lists';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

/** Owners of the account also see deliveries of deleted webhooks. */
const FIND = accountStatement(
  'delivery_find',
  `select ${columns(Delivery, 'd')}, ${columns(Event, 'e')}, w.id is not null as "hasWebhook"
   from deliveries d
     left join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
     left join events e on e.account_id = d.account_id and e.id = d.event_id
   where d.account_id = $1 and d.id = $2 and (w.id is not null or $3) and ${visibleToOwner(['$3', '$4', '$5'])}`,
);

export async function findDelivery(connection: AccountConnection, owner: WebhookOwner, id: string) {
  const row = isUuid(id) ? await connection.row(FIND, [id, ...ownerValues(owner)]) : undefined;
  const delivery = row && hydrate(Delivery, row, 'd');
  if (!delivery) throw new NotFound('delivery');
  return { delivery, event: hydrate(Event, row, 'e'), hasWebhook: row['hasWebhook'] === true };
}

const ATTEMPT_COLUMNS = `id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status, error, error_detail,
       response_body, request_headers, next_reason, next_attempt_at`;

/** The attempt that settled a delivery at once is in the row of the delivery. */
const ATTEMPTS = accountStatement(
  'delivery_attempts',
  `with a as (
     select ${ATTEMPT_COLUMNS} from attempts where account_id = $1 and delivery_id = $2
     union all
     select x.id, d.account_id, d.webhook_id, d.id, 1, x."startedAt", x."durationMs", x.status, x.error, x."errorDetail",
       x."responseBody", x."requestHeaders", x."nextReason", null
     from deliveries d cross join lateral json_to_record(d.only_attempt) as x(id uuid, "startedAt" timestamptz,
       "durationMs" int, status int, error text, "errorDetail" text, "responseBody" text, "requestHeaders" json, "nextReason" text)
     where d.account_id = $1 and d.id = $2 and d.only_attempt is not null
   ) select ${columns(Attempt, 'a')} from a order by number, id`,
);

export async function readAttempts(connection: AccountConnection, deliveryId: string): Promise<Attempt[]> {
  return (await connection.rows(ATTEMPTS, [deliveryId])).flatMap((row) => hydrate(Attempt, row, 'a') ?? []);
}

export const loadDeliveries = loaderOf(Delivery, 'delivery_load_page', 'deliveries');

export interface DeliveryQuery extends PageRequest {
  readonly states?: readonly DeliveryState[] | undefined;
  readonly standings?: readonly DeliveryStanding[] | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

/** A delivery's id begins with its creation time. Each delivery would write an index on states. */
export function conditionsOf(webhookId: string, { states, standings, since, before }: DeliveryQuery): Conditions {
  const conditions = Conditions.forAccount('d');
  conditions.add(`d.webhook_id = ${conditions.bind(webhookId)}`);
  if (since) conditions.add(`d.id >= uuid_at(${conditions.bind(since)})`);
  if (before) conditions.add(`d.id < uuid_at(${conditions.bind(before)})`);
  const filters = [
    ...(states ? [`d.state = any(${conditions.bind(states)})`] : []),
    ...(standings ? [`${standingSql('d')} = any(${conditions.bind(standings)})`] : []),
  ];
  if (filters.length > 0) conditions.scanFilter = { sql: filters.join(' and '), density: 1 };
  return conditions;
}
