import { Database, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { ActivityWithActor } from './conversation.js';

/** The activities to show between messages. Those that are messages themselves are left out. */
const LIST_TICKET_ACTIVITIES = accountStatement(
  'console_activities_of_ticket',
  `select x.id, x.kind, x.subject, x.detail, x.created_at as "createdAt",
     nullif(trim(concat(a.first_name, ' ', a.last_name)), '') || coalesce(' (' || p.name || ')', '') as actor
   from activities x left join agents a on a.id = x.agent_id left join applications p on p.id = x.application_id
   where x.account_id = $1 and x.ticket_id = $2
     and x.kind not in ('customer_replied', 'agent_replied', 'note_added', 'ticket_started')
   order by x.id desc limit 100`,
);

@Injectable()
export class ActivityReader {
  constructor(private readonly database: Database) {}

  ofTicket(accountId: string, ticketId: string): Promise<ActivityWithActor[]> {
    return this.database.account(accountId).rows<ActivityWithActor>(LIST_TICKET_ACTIVITIES, [ticketId]);
  }
}
