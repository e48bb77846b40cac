import { Database, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

const OPEN_TICKETS = accountStatement(
  'console_open_tickets',
  `select assignee_id as id, count(*)::int as count from tickets
   where account_id = $1 and assignee_id is not null and deleted_at is null and state not in ('closed', 'spam')
   group by assignee_id`,
);

const MEMBERS = accountStatement(
  'console_group_members',
  'select group_id as id, array_agg(agent_id) as members from group_members where account_id = $1 group by group_id',
);

@Injectable()
export class PeopleReader {
  constructor(private readonly database: Database) {}

  /** How many open tickets wait for each agent who has any. */
  async openTickets(accountId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.account(accountId).rows<{ id: string; count: number }>(OPEN_TICKETS);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  async members(accountId: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.database.account(accountId).rows<{ id: string; members: string[] }>(MEMBERS);
    return new Map(rows.map(({ id, members }) => [id, members]));
  }
}
