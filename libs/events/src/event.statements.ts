import {
  type AccountConnection,
  type AccountTx,
  type SystemConnection,
  accountStatement,
  arraysOf,
  filter,
  systemStatement,
  uuidAt,
} from '#libs/database';
import type { ActivityDetail, EventCause, EventChanges } from '#libs/entities';
import { Agent, Customer, Message, Ticket } from '#libs/entities';
import { EVENT_KINDS, type EventKind, type KindOfEvent } from '#libs/payloads';

/** Larger events wait for the relay, which shares the queue out. */
const MAX_EXPRESS_WEBHOOKS = 20;

/**
 * Inserts events, activities, and an outbox row for each event that a webhook subscribes to and whose terms its filter
 * matches. Reads webhooks in the transaction of the change, so one created a moment later makes no difference.
 */
const INSERT = accountStatement(
  'events_insert',
  `with happened as (
     select *, string_to_array(lines, chr(10)) as terms
     from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::jsonb[], $13::json[], $16::text[])
       with ordinality as happened (id, kind, payload, ticket_id, subject, detail, changes, lines, place)
   ), event as (
     insert into events (id, account_id, sequence, kind, payload, transaction_id, changes, request_id, cause, traceparent, created_at)
     select id, $1, event_sequence($1, place), kind, payload, pg_current_xact_id()::text::bigint, changes, $8, $14, $15, $9 from happened
     returning id, kind, sequence
   ), activity as (
     insert into activities (id, account_id, ticket_id, kind, agent_id, application_id, subject, detail, request_id, created_at)
     select id, $1, ticket_id, kind, $10, $11, subject, detail, $8, $9 from happened
   ), receiver as materialized (
     select event.id, sequence, array_agg(w.id order by w.id) as webhook_ids, $12 and count(*) <= ${MAX_EXPRESS_WEBHOOKS} as express,
       bool_and(w.state = 'active' and coalesce(w.retry_after_until <= $9, true) and coalesce(w.slow_until <= $9, true)) as are_open,
       json_agg(json_build_array(w.id, w.url, w.publicly_signed, (
         select string_agg(s.id::text, ' ' order by s.created_at desc) from webhook_secrets s
         where s.webhook_id = w.id and s.signs and (s.expires_at is null or s.expires_at > $9)), w.headers_id)) as webhooks
     from event join happened using (id)
       join webhooks w on w.account_id = $1 and w.event = event.kind and w.state in ('active', 'paused')
         and (w.filter_all is null or w.filter_all <@ terms and not w.filter_none && terms)
     group by event.id, sequence
   ), waiting as (
     insert into outbox (event_id, account_id, webhook_ids, express) select id, $1, webhook_ids, express from receiver
   )
   select id as "eventId", express, sequence, cardinality(webhook_ids) as webhooks,
     case when express and are_open then webhooks end as receivers from receiver`,
);

export interface OutboxEvent {
  readonly eventId: string;
  readonly webhooks: number;
  readonly express: boolean;
  readonly sequence: string;
  /** Null if a worker must look first, because one of them is paused or slow. */
  readonly receivers: readonly Receiver[] | null;
}

export type Receiver = readonly [
  webhookId: string,
  url: string,
  publiclySigned: boolean,
  secretIds: string | null,
  headersId: string | null,
];

export interface RecordedEvent extends ActivityDescription {
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly changes: EventChanges | null;
  /** Filters compare them. Null if the event has no ticket. */
  readonly terms: readonly string[] | null;
}

/** Returns the events that webhooks subscribe to, once the transaction is committed. */
export function insertEvents(
  tx: AccountTx,
  actor: Actor,
  events: readonly RecordedEvent[],
  { now, isExpress }: { readonly now: Date; readonly isExpress: boolean },
): Promise<OutboxEvent[]> {
  return tx.later(INSERT, [
    ...arraysOf(events, 'id', 'kind', 'payload', 'ticketId', 'subject'),
    events.map(({ detail }) => JSON.stringify(detail)),
    actor.requestId,
    now,
    actor.agentId,
    actor.applicationId,
    isExpress,
    events.map(({ changes }) => changes && JSON.stringify(changes)),
    causeOf(actor),
    actor.traceparent ?? null,
    events.map(({ terms }) => terms?.join('\n') ?? null),
  ]);
}

/** Skips the outbox, so no other webhook receives it. Its sequence is before that of every real event. */
const INSERT_SAMPLE = accountStatement(
  'events_insert_sample',
  `insert into events (id, account_id, sequence, kind, payload, transaction_id, test, request_id, cause, traceparent, created_at)
   values ($2, $1, 0, $3, $4, pg_current_xact_id()::text::bigint, true, $5, $6, $7, $8)`,
);

export function insertSample(
  tx: AccountTx,
  actor: Actor,
  { kind, payload }: Pick<RecordedEvent, 'kind' | 'payload'>,
  now: Date,
): string {
  const id = uuidAt(now);
  tx.send(INSERT_SAMPLE, [id, kind, payload, actor.requestId, causeOf(actor), actor.traceparent ?? null, now]);
  return id;
}

const NOTE = systemStatement(
  'restore_note',
  'The history of the whole database is another one',
  'insert into restores (noted_at) values ($1)',
);

/** Cursors issued before are refused from now on. */
export async function noteRestore(db: SystemConnection, now: Date): Promise<void> {
  await db.rows(NOTE, [now]);
}

const RENUMBER = accountStatement(
  'restore_renumber_events',
  `with renumbered as (
     update events set transaction_id = 0
     where account_id = $1 and transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint returning 1
   ) select count(*)::int as count from renumbered`,
);

/**
 * A dump keeps transaction numbers of the old server. The feed would hide its events until this server reaches them.
 * Returns how many were renumbered.
 */
export async function renumberEvents(account: AccountConnection): Promise<number> {
  return (await account.row<{ count: number }>(RENUMBER))!.count;
}

export interface ActivityDescription {
  /** Absent or null if it is not about a ticket. */
  readonly ticketId?: string | null;
  readonly subject: string;
  readonly detail?: ActivityDetail;
}

/** The full record is in the event itself. */
export function describeActivity(
  kind: EventKind,
  subject: Ticket | Message | Customer | Agent,
  changes: EventChanges | null,
): ActivityDescription {
  const described: KindOfEvent = EVENT_KINDS[kind];
  if (subject instanceof Ticket) return describeTicketActivity(subject, described.detail?.(subject) ?? {}, changes);
  if (subject instanceof Message)
    return { ticketId: subject.ticketId, subject: `#${subject.ticketNumber}`, detail: { message: subject.id } };
  return { ticketId: null, subject: subject.email, detail: {} };
}

export function describeTicketActivity(
  ticket: Ticket,
  detail: ActivityDetail,
  changes: EventChanges | null = null,
): ActivityDescription {
  const whole = { ...detail, ...(changes && { changes }) } as ActivityDetail;
  return { ticketId: ticket.id, subject: `#${ticket.number}`, detail: whole };
}

export interface Actor {
  /** Null when no agent acted, as for an incoming email. */
  readonly agentId: string | null;
  /** Null in the console and for personal access tokens. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
  /** Absent for agents in the console, and for the system. */
  readonly origin?: Omit<EventCause, 'agentId'> | null;
  readonly traceparent?: string | undefined;
}

/** Neither an agent nor an application. */
export const NO_ACTOR: Actor = { agentId: null, applicationId: null, requestId: null };
export const CUSTOMER: Actor = { ...NO_ACTOR, origin: { type: 'customer' } };

export const causeOf = ({ origin, agentId }: Actor): EventCause => ({
  ...(origin ?? { type: agentId === null ? 'system' : 'agent' }),
  agentId: agentId ?? undefined,
});

const INSERT_ACTIVITY = accountStatement(
  'activity_insert',
  `insert into activities (id, account_id, kind, agent_id, application_id, ticket_id, subject, detail, request_id, created_at)
   values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** Without an agent, the system or the operator acted. */
export async function insertActivity(
  tx: AccountTx,
  { agentId, applicationId, requestId }: Actor,
  { kind, ticketId = null, subject, detail = {} }: ActivityDescription & { readonly kind: string },
  now: Date,
): Promise<void> {
  tx.send(INSERT_ACTIVITY, [uuidAt(now), kind, agentId, applicationId, ticketId, subject, detail, requestId, now]);
}

const DELETE_OF_TICKETS = accountStatement(
  'activities_delete_of_tickets',
  `delete from activities where ${filter('account_id = $1')} and ticket_id = any($2)`,
);

export async function deleteActivitiesOfTickets(tx: AccountTx, ticketIds: readonly string[]): Promise<void> {
  await tx.rows(DELETE_OF_TICKETS, [ticketIds]);
}

const DELETE_BEFORE = systemStatement(
  'activities_delete_before',
  'What is kept is decided by its age alone, in every account',
  `delete from activities where ctid = any(array(
     select ctid from activities where ticket_id is null and id < uuid_at($1) order by id limit $2)) returning 1`,
);

export async function deleteActivitiesBefore(db: SystemConnection, before: Date, limit: number): Promise<number> {
  return (await db.rows(DELETE_BEFORE, [before, limit])).length;
}
