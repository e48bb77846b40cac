import { type AccountConnection, accountStatement, columns, filter, hydrate, isUuid } from '#libs/database';
import {
  Attempt,
  Delivery,
  type DeliveryStanding,
  type DeliveryState,
  Event,
  NotFound,
  Webhook,
  standingSql,
} from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import { Conditions, type Listing, type Order, type PageRequest, loadInOrder } from '#libs/lists';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

const DELIVERY_COLUMNS = `${columns(Delivery, 'd')}, w.id as "w.id", w.name as "w.name", w.url as "w.url", w.state as "w.state",
     w.retry_after_until as "w.retryAfterUntil"`;

/** Owners of the account also see deliveries of deleted webhooks. */
const FIND = accountStatement(
  'delivery_find',
  `select ${DELIVERY_COLUMNS}, ${columns(Event, 'e')}
   from deliveries d
     left join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
     left join events e on e.account_id = d.account_id and e.id = d.event_id
   where d.account_id = $1 and d.id = $2 and (w.id is not null or $3) and ${visibleToOwner(['$3', '$4', '$5'])}`,
);

export async function findDelivery(connection: AccountConnection, owner: WebhookOwner, id: string) {
  const row = isUuid(id) ? await connection.row(FIND, [id, ...ownerValues(owner)]) : undefined;
  const delivery = row && deliveryOf(row);
  if (!delivery) throw new NotFound('delivery');
  return { delivery, event: hydrate(Event, row, 'e') };
}

function deliveryOf(row: Record<string, unknown>): Delivery | null {
  const delivery = hydrate(Delivery, row, 'd');
  return delivery && Object.assign(delivery, { webhook: hydrate(Webhook, row, 'w') });
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

const LOAD = accountStatement(
  'delivery_load_page',
  `select ${DELIVERY_COLUMNS} from deliveries d
     left join lateral (select * from webhooks where id = d.webhook_id and ${filter('account_id = $1')} limit 1) w on true
   where d.account_id = $1 and d.id = any($2)`,
);

export const loadDeliveries = (connection: AccountConnection, ids: readonly string[]): Promise<Delivery[]> =>
  loadInOrder(connection, LOAD, ids, deliveryOf);

const NEWEST_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'd.id', type: 'uuid' }] };
/** Bounds the list of one ticket. */
const MAX_EVENTS = 2_000;

export interface DeliveryQuery extends PageRequest {
  readonly ticket?: number | undefined;
  /** Codes such as `404`, classes such as `5xx`, and `none`. */
  readonly lastStatuses?: readonly string[] | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  readonly standings?: readonly DeliveryStanding[] | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

export interface DeliverySearch extends DeliveryQuery {
  readonly webhook?: string | undefined;
  readonly event?: EventKind | undefined;
}

const MAX_WEBHOOKS = 1_000;

const FIND_SEARCHED = accountStatement(
  'webhooks_find_searched',
  `select w.id, w.state from webhooks w
   where w.account_id = $1 and ($2::uuid is null or w.id = $2) and ($3::text is null or w.event = $3)
     and ${visibleToOwner(['$4', '$5', '$6'])}
   order by w.id desc limit ${MAX_WEBHOOKS}`,
);

export const findSearchedWebhooks = (account: AccountConnection, owner: WebhookOwner, search: DeliverySearch) =>
  account.rows<SearchedWebhook>(FIND_SEARCHED, [search.webhook ?? null, search.event ?? null, ...ownerValues(owner)]);

type SearchedWebhook = Pick<Webhook, 'id' | 'state'>;

/** A delivery's id begins with its creation time. Each delivery would write an index on states. */
export function deliveryListing(
  webhooks: readonly SearchedWebhook[],
  { ticket, states, standings, lastStatuses, since, before }: DeliveryQuery,
): Listing {
  const conditions = Conditions.forAccount('d');
  const bindIds = (some: typeof webhooks) => `${conditions.bind(some.map(({ id }) => id))}::uuid[]`;
  const { length: count, 0: only } = webhooks;
  const isMerged = ticket === undefined && count !== 1;
  const [id, key] = isMerged ? ['(d.webhook_id, d.id)', 'key, '] : ['d.id', ''];
  if (since) conditions.add(`${id} >= (${key}uuid_at(${conditions.bind(since)}))`);
  if (before) conditions.add(`${id} < (${key}uuid_at(${conditions.bind(before)}))`);
  const isPaused = standings
    ? `d.webhook_id = any(${bindIds(webhooks.filter(({ state }) => state === 'paused'))})`
    : '';
  const filters = [
    ...(states ? [`d.state = any(${conditions.bind(states)})`] : []),
    ...(standings ? [`${standingSql('d', isPaused)} = any(${conditions.bind(standings)})`] : []),
    ...(lastStatuses ? [`${lastStatusSql('d')} && ${conditions.bind(lastStatuses)}::text[]`] : []),
  ];
  if (filters.length > 0) conditions.scanFilter = { sql: filters.join(' and '), density: 1 };
  const from = ticket === undefined ? 'deliveries d' : deliveriesOfTicket(conditions.bind(ticket));
  const listing = { from, id: 'd.id', conditions, order: NEWEST_FIRST };
  if (isMerged) return { ...listing, each: { column: 'd.webhook_id', keys: bindIds(webhooks), count } };
  conditions.add(
    only && count === 1 ? `d.webhook_id = ${conditions.bind(only.id)}` : `d.webhook_id = any(${bindIds(webhooks)})`,
  );
  return listing;
}

/** `offset 0` makes PostgreSQL find them by their events, not in the order of the list. */
const deliveriesOfTicket = (number: string): string => `(
  select * from deliveries where account_id = $1 and event_id = any(array(
    select a.id from activities a where a.account_id = $1
      and a.ticket_id = (select t.id from tickets t where t.account_id = $1 and t.number = ${number})
    order by a.ticket_id desc, a.id desc limit ${MAX_EVENTS}))
  offset 0) d`;

const lastStatusSql = (row: string): string =>
  `case when ${row}.last_status is null then array['none']
     else array[${row}.last_status::text, ${row}.last_status / 100 || 'xx'] end`;
