import { type AccountTx, Bell, Clock, accountStatement, uuidAt } from '#libs/database';
import { type EventKind, Links, type SubjectOf, samplePayload, serialisePayload } from '#libs/payloads';
import { Counter, Metrics } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { type Actor, insertActivity } from './activities.js';
import { type ActivityDescription, describeActivity } from './activity-description.js';

/**
 * Records all events of one action, an activity for each, and an outbox row for each event that a webhook subscribes
 * to. Webhooks are read in the transaction of the change, so one created or deleted a moment later makes no difference.
 */
const RECORD = accountStatement(
  'events_record',
  `with happened as (
     select * from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::jsonb[])
       with ordinality as happened (id, kind, payload, ticket_id, subject, detail, place)
   ), event as (
     insert into events (id, account_id, sequence, kind, payload, transaction_id, request_id, created_at)
     select id, $1, event_sequence($1, place), kind, payload, pg_current_xact_id()::text::bigint, $8, $9 from happened
   ), activity as (
     insert into activities (id, account_id, ticket_id, kind, agent_id, application_id, subject, detail, request_id, created_at)
     select id, $1, ticket_id, kind, $10, $11, subject, detail, $8, $9 from happened
   )
   insert into outbox (event_id, account_id, webhook_ids)
   select happened.id, $1, array_agg(webhooks.id order by webhooks.id)
   from happened join webhooks on webhooks.account_id = $1 and webhooks.event = happened.kind and webhooks.state in ('active', 'paused')
   group by happened.id`,
);

/** Skips the outbox, so no other webhook receives an event that did not happen. */
const RECORD_SAMPLE = accountStatement(
  'events_record_sample',
  `insert into events (id, account_id, sequence, kind, payload, transaction_id, test, request_id, created_at)
   values ($2, $1, event_sequence($1, 1), $3, $4, pg_current_xact_id()::text::bigint, true, $5, $6)`,
);

/** A kind of event and its record in its current state. */
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

  /** Must be the last step of the transaction. Sent together with COMMIT. */
  async record(tx: AccountTx, actor: Actor, ...happened: readonly DomainEvent[]): Promise<void> {
    if (happened.length === 0) return;
    const now = this.clock.now();
    const description = happened.map(([kind, subject]) => describeActivity(kind, subject));
    tx.send(RECORD, [
      happened.map(() => uuidAt(now)),
      happened.map(([kind]) => kind),
      happened.map(([kind, subject]) => serialisePayload(kind, subject, this.links)),
      description.map(({ ticketId }) => ticketId),
      description.map(({ subject }) => subject),
      description.map(({ detail }) => JSON.stringify(detail)),
      actor.requestId,
      now,
      actor.agentId,
      actor.applicationId,
    ]);
    this.bell.ringAfter(tx);
    tx.onCommit(() => happened.forEach(([kind]) => this.recorded.inc({ kind })));
  }

  /** Records an event that only a test sends, with the sample payload of its kind. Returns its id. */
  async recordSample(tx: AccountTx, { requestId }: Actor, kind: EventKind): Promise<string> {
    const now = this.clock.now();
    const id = uuidAt(now);
    tx.send(RECORD_SAMPLE, [id, kind, JSON.stringify(samplePayload(kind, this.links)), requestId, now]);
    return id;
  }

  /** For activities that are not events. `record` writes the activities of events. */
  async recordActivity(tx: AccountTx, actor: Actor, kind: string, description: ActivityDescription): Promise<void> {
    await insertActivity(tx, actor, { kind, ...description }, this.clock.now());
    this.bell.ringAfter(tx);
  }
}
