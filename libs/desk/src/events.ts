import { type AccountTx, Bell, Clock, accountStatement, uuidAt } from '#libs/database';
import { type EventKind, Links, type SubjectOf, freeze } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type Told, tellOf } from './activities.js';

/**
 * One round trip: the event, who did it, and, only where a webhook wants it, the note to the relay saying which. The
 * webhooks are read here, in the transaction of the change, so that one made or removed a moment later changes nothing.
 */
const RECORD = accountStatement(
  'event_record',
  `with event as (
     insert into events (id, account_id, sequence, kind, payload, transaction_id, request_id, created_at)
     values ($2, $1, nextval('events_sequence_seq'), $3, $4, pg_current_xact_id()::text::bigint, $5, $6)
   ), activity as (
     insert into activities (id, account_id, ticket_id, kind, agent_id, application_id, subject, detail, request_id, created_at)
     values ($2, $1, $7, $3, $8, $9, $10, $11, $5, $6)
   ), wanted as (
     select array_agg(id order by id) as ids from webhooks where account_id = $1 and event = $3 and state in ('active', 'paused')
   )
   insert into outbox (event_id, account_id, webhook_ids) select $2, $1, ids from wanted where ids is not null`,
);

/** For what people want to see in a ticket's history although no webhook is told of it. */
const NOTE = accountStatement(
  'activity_note',
  `insert into activities (id, account_id, kind, agent_id, application_id, ticket_id, subject, detail, request_id, created_at)
   values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

/** Who acts, for whom, and under which request: passed along, never ambient. */
export interface Acting {
  readonly accountId: string;
  readonly agentId: string;
  /** Null in the console and for personal access tokens. */
  readonly applicationId: string | null;
  readonly requestId: string | null;
}

@Injectable()
export class Events {
  constructor(
    private readonly clock: Clock,
    private readonly links: Links,
    private readonly bell: Bell,
  ) {}

  /** Last in the transaction of the change it tells of. */
  async record<K extends EventKind>(tx: AccountTx, kind: K, subject: SubjectOf<K>, acting: Acting): Promise<void> {
    const now = this.clock.now();
    const payload = freeze(kind, subject, this.links);
    const { ticketId, subject: name, detail } = tellOf(kind, subject);
    const { requestId, agentId, applicationId } = acting;
    const event = [uuidAt(now), kind, payload, requestId, now];
    await tx.rows(RECORD, [...event, ticketId, agentId, applicationId, name, detail]);
    tx.onCommit(this.bell.ring);
  }

  /** An activity that is no event: `record` writes its own. */
  async note(tx: AccountTx, kind: string, told: Told, acting: Acting): Promise<void> {
    const now = this.clock.now();
    const { requestId, agentId, applicationId } = acting;
    const { ticketId, subject, detail } = told;
    await tx.rows(NOTE, [uuidAt(now), kind, agentId, applicationId, ticketId, subject, detail, requestId, now]);
    tx.onCommit(this.bell.ring);
  }
}
