import { Clock, Database, systemStatement } from '#libs/database';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';

const BATCH = 100;

/** Spam stays what it is, as it does when the customer writes. */
const WAKE = systemStatement(
  'tickets_wake',
  'The time has come in every account',
  `with due as (
     select id from tickets where snoozed_until <= $1 and deleted_at is null order by snoozed_until limit $2 for update skip locked
   )
   update tickets t set snoozed_until = null, updated_at = $1, closed_by_id = null, resolution_time = null,
     state = case t.state when 'spam' then 'spam' else 'unread' end
   where t.id = any(array(select id from due))
   returning t.id, t.account_id as "accountId", t.number`,
);

interface WokenTicket {
  readonly id: string;
  readonly accountId: string;
  readonly number: number;
}

const NOBODY = { agentId: null, applicationId: null, requestId: null };

/** A snoozed ticket comes back unread when its time has come. */
@Injectable()
export class SnoozedTicketsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** A few: called again for as long as it finds some. Says how many. */
  wake(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const woken = await tx.rows<WokenTicket>(WAKE, [now, BATCH]);
      for (const { id, accountId, number } of woken) {
        const activity = { kind: 'ticket_woken', ticketId: id, subject: `#${number}`, detail: {} };
        await insertActivity(tx.account(accountId), NOBODY, activity, now);
      }
      return woken.length;
    });
  }
}
