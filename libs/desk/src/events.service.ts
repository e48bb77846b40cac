import { type AccountTx, Bell, Clock, accountStatement, uuidAt } from '#libs/database';
import { type EventKind, Links, type SubjectOf, serialisePayload } from '#libs/payloads';
import { Counter, Metrics } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from './request-context.js';
import { type ActivityDescription, describeActivity } from './activity-description.js';

/**
 * One round trip for all that one action tells: the events in their order, who did it, and, only where a webhook wants
 * one, the note to the relay saying which. The webhooks are read here, in the transaction of the change, so that one
 * made or removed a moment later changes nothing.
 */
const RECORD = accountStatement(
  'events_record',
  `with told as (
     select * from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::jsonb[])
       with ordinality as told (id, kind, payload, ticket_id, subject, detail, place)
   ), event as (
     insert into events (id, account_id, sequence, kind, payload, transaction_id, request_id, created_at)
     select id, $1, event_sequence(place), kind, payload, pg_current_xact_id()::text::bigint, $8, $9 from told
   ), activity as (
     insert into activities (id, account_id, ticket_id, kind, agent_id, application_id, subject, detail, request_id, created_at)
     select id, $1, ticket_id, kind, $10, $11, subject, detail, $8, $9 from told
   )
   insert into outbox (event_id, account_id, webhook_ids)
   select told.id, $1, array_agg(webhooks.id order by webhooks.id)
   from told join webhooks on webhooks.account_id = $1 and webhooks.event = told.kind and webhooks.state in ('active', 'paused')
   group by told.id`,
);

/** For what people want to see in a ticket's history although no webhook is told of it. */
const NOTE = accountStatement(
  'activity_note',
  `insert into activities (id, account_id, kind, agent_id, application_id, ticket_id, subject, detail, request_id, created_at)
   values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** A kind of event with the record it tells of, as that is now. */
export type DomainEvent = { [K in EventKind]: readonly [kind: K, subject: SubjectOf<K>] }[EventKind];

@Injectable()
export class EventsService {
  private readonly recorded: Counter<'kind'>;

  constructor(
    private readonly clock: Clock,
    private readonly links: Links,
    private readonly bell: Bell,
    registry: Metrics,
  ) {
    this.recorded = new Counter({
      name: 'deskwire_events_recorded_total',
      help: 'Events that were committed, by kind',
      labelNames: ['kind'],
      registers: [registry],
    });
  }

  /** Last in the transaction of the change it tells of. */
  async record(tx: AccountTx, context: RequestContext, ...happened: readonly DomainEvent[]): Promise<void> {
    if (happened.length === 0) return;
    const now = this.clock.now();
    const description = happened.map(([kind, subject]) => describeActivity(kind, subject));
    await tx.rows(RECORD, [
      happened.map(() => uuidAt(now)),
      happened.map(([kind]) => kind),
      happened.map(([kind, subject]) => serialisePayload(kind, subject, this.links)),
      description.map(({ ticketId }) => ticketId),
      description.map(({ subject }) => subject),
      description.map(({ detail }) => JSON.stringify(detail)),
      context.requestId,
      now,
      context.agentId,
      context.applicationId,
    ]);
    tx.onCommit(this.bell.ring);
    tx.onCommit(() => happened.forEach(([kind]) => this.recorded.inc({ kind })));
  }

  /** An activity that is no event: `record` writes its own. */
  async recordActivity(
    tx: AccountTx,
    context: RequestContext,
    kind: string,
    description: ActivityDescription,
  ): Promise<void> {
    const now = this.clock.now();
    const { requestId, agentId, applicationId } = context;
    const { ticketId, subject, detail } = description;
    await tx.rows(NOTE, [uuidAt(now), kind, agentId, applicationId, ticketId, subject, detail, requestId, now]);
    tx.onCommit(this.bell.ring);
  }
}
