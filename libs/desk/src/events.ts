import { type AccountTx, Bell, Clock, accountStatement, uuidAt } from '#libs/database';
import { type EventKind, Links, type SubjectOf, freeze } from '#libs/payloads';
import { Injectable } from '@nestjs/common';

/**
 * One round trip: the event, and, only where a webhook wants it, the note to the relay saying which. The webhooks are
 * read here, in the transaction of the change, so that a webhook made or removed a moment later changes nothing.
 */
const RECORD = accountStatement(
  'event_record',
  `with event as (
     insert into events (id, account_id, sequence, kind, payload, transaction_id, request_id, created_at)
     values ($2, $1, nextval('events_sequence_seq'), $3, $4, pg_current_xact_id()::text::bigint, $5, $6)
   ), wanted as (
     select array_agg(id order by id) as ids from webhooks where account_id = $1 and event = $3 and state in ('active', 'paused')
   )
   insert into outbox (event_id, account_id, webhook_ids) select $2, $1, ids from wanted where ids is not null`,
);

/** Who acts, for whom, and under which request: passed along, never ambient. */
export interface Acting {
  readonly accountId: string;
  readonly agentId: string;
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
    await tx.rows(RECORD, [uuidAt(now), kind, freeze(kind, subject, this.links), acting.requestId, now]);
    tx.onCommit(this.bell.ring);
  }
}
