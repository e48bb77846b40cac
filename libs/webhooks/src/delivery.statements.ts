import { type AccountConnection, accountStatement, columns, hydrate, isUuid } from '#libs/database';
import { Attempt, Delivery, Event, NotFound } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

/** Whoever sees all of the account also sees what was sent to webhooks that are no more. */
const FIND = accountStatement(
  'delivery_find',
  `select ${columns(Delivery, 'd')}, ${columns(Event, 'e')}, w.id is not null as "hasWebhook"
   from deliveries d
     left join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
     left join events e on e.account_id = d.account_id and e.id = d.event_id
   where d.account_id = $1 and d.id = $2 and (w.id is not null or $3) and ${visibleToOwner(['$3', '$4', '$5'])}`,
);

const ATTEMPTS = accountStatement(
  'delivery_attempts',
  `select ${columns(Attempt, 'a')} from attempts a where a.account_id = $1 and a.delivery_id = $2 order by a.number, a.id`,
);

const LOAD = accountStatement(
  'delivery_load_page',
  `select ${columns(Delivery, 'd')} from deliveries d where d.account_id = $1 and d.id = any($2)`,
);

export interface FoundDelivery {
  readonly delivery: Delivery;
  /** Null once it has been purged; nothing can be sent any more then. */
  readonly event: Event | null;
  readonly hasWebhook: boolean;
}

export async function findDelivery(
  connection: AccountConnection,
  owner: WebhookOwner,
  id: string,
): Promise<FoundDelivery> {
  const row = isUuid(id) ? await connection.row(FIND, [id, ...ownerValues(owner)]) : undefined;
  const delivery = row && hydrate(Delivery, row, 'd');
  if (!delivery) throw new NotFound('delivery');
  return { delivery, event: hydrate(Event, row, 'e'), hasWebhook: row['hasWebhook'] === true };
}

/** In their order. */
export async function readAttempts(connection: AccountConnection, deliveryId: string): Promise<Attempt[]> {
  return (await connection.rows(ATTEMPTS, [deliveryId])).flatMap((row) => hydrate(Attempt, row, 'a') ?? []);
}

export const loadDeliveries = (connection: AccountConnection, ids: readonly string[]): Promise<Delivery[]> =>
  loadInOrder(connection, LOAD, ids, (row) => hydrate(Delivery, row, 'd'));
