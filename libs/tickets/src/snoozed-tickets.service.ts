import { Clock, Database, systemStatement } from '#libs/database';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';

const BATCH = 100;

/** Spam stays spam. A deleted ticket only loses its snooze. */
const WAKE = systemStatement(
  'tickets_wake',
  'The time has come in every account',
  `update tickets t set (snoozed_until, updated_at, closed_by_id, resolution_time, state) = (
     select null::timestamptz, $1::timestamptz, null::uuid, null::integer, 'unread' where t.deleted_at is null and t.state <> 'spam'
     union all
     select null, t.updated_at, t.closed_by_id, t.resolution_time, t.state where t.deleted_at is not null or t.state = 'spam')
   where t.ctid = any(array(
     select ctid from tickets where snoozed_until <= $1 order by snoozed_until limit $2 for update skip locked))
   returning t.id, t.account_id as "accountId", t.number, t.deleted_at is null as live`,
);

interface WokenTicket {
  readonly id: string;
  readonly accountId: string;
  readonly number: number;
  readonly live: boolean;
}

const NOBODY = { agentId: null, applicationId: null, requestId: null };

/** Returns snoozed tickets to their folders, unread, when their time has come. */
@Injectable()
export class SnoozedTicketsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Wakes one batch. Returns its size. */
  wake(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const woken = await tx.rows<WokenTicket>(WAKE, [now, BATCH]);
      for (const { id, accountId, number } of woken.filter(({ live }) => live)) {
        const activity = { kind: 'ticket_woken', ticketId: id, subject: `#${number}`, detail: {} };
        await insertActivity(tx.account(accountId), NOBODY, activity, now);
      }
      return woken.length;
    });
  }
}
