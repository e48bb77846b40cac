import { type AccountConnection, type AccountDatabase, accountStatement, filter } from '#libs/database';
import type { Activity, Delivery, DeliveryProgress, Event } from '#libs/entities';
import { Conditions, type Listing, type Order } from '#libs/lists';

export interface AuditEntry extends Pick<
  Activity,
  'id' | 'kind' | 'subject' | 'detail' | 'createdAt' | 'requestId' | 'ticketId'
> {
  readonly actor: string | null;
  readonly application: string | null;
  readonly deliveries: number;
  /** Events go to webhooks. Other activities are only listed here. */
  readonly isEvent: boolean;
}

export interface EventDelivery extends DeliveryProgress, Pick<Delivery, 'id' | 'eventId' | 'createdAt'> {
  readonly url: string | null;
}

export function auditListing(query: { kind: string | null; ticket: number | null; from: Date | undefined }): Listing {
  const { kind, ticket, from } = query;
  const conditions = Conditions.forAccount('x');
  if (ticket !== null)
    conditions.add(
      `x.ticket_id = (select t.id from tickets t where t.account_id = x.account_id and t.number = ${conditions.bind(ticket)})`,
    );
  if (from) conditions.add(`x.id >= uuid_at(${conditions.bind(from)})`);
  if (kind !== null) conditions.scanFilter = { sql: `x.kind = ${conditions.bind(kind)}`, density: 1 };
  return { from: 'activities x', id: 'x.id', conditions, order: NEWEST_FIRST };
}

const NEWEST_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'x.id', type: 'uuid' }] };

const LOAD_ENTRIES = accountStatement(
  'console_audit_load',
  `select x.id, x.kind, x.subject, x.detail, x.created_at as "createdAt", x.request_id as "requestId", x.ticket_id as "ticketId",
     coalesce(nullif(trim(concat(a.first_name, ' ', a.last_name)), ''), a.email) as actor, p.name as application,
     (select count(*)::int from deliveries d where d.account_id = x.account_id and d.event_id = x.id) as deliveries,
     exists (select from events e where e.id = x.id and ${filter('e.account_id = x.account_id')}) as "isEvent"
   from activities x left join agents a on a.id = x.agent_id left join applications p on p.id = x.application_id
   where x.account_id = $1 and x.id = any($2::uuid[]) order by x.id desc`,
);

export const loadEntries = (account: AccountConnection, ids: readonly string[]): Promise<AuditEntry[]> =>
  account.rows(LOAD_ENTRIES, [ids]);

const LIST_DELIVERIES = accountStatement(
  'console_audit_deliveries',
  `select d.id, d.event_id as "eventId", d.state, d.attempts, d.last_status as "lastStatus", d.last_error as "lastError",
     d.created_at as "createdAt", w.url, w.state is not distinct from 'paused' as "isPaused"
   from deliveries d left join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
   where d.account_id = $1 and d.event_id = any($2::uuid[]) order by d.id desc limit 100`,
);

export const listDeliveries = (account: AccountDatabase, eventIds: readonly string[]): Promise<EventDelivery[]> =>
  account.rows(LIST_DELIVERIES, [eventIds]);

const FIND_EVENT = accountStatement(
  'console_audit_event',
  `select payload, changes from events where id = $2 and ${filter('account_id = $1')}`,
);

/** Undefined if the entry is not an event, or the event is no longer kept. */
export const findEvent = (account: AccountDatabase, id: string) =>
  account.row<Pick<Event, 'payload' | 'changes'>>(FIND_EVENT, [id]);
