import { TwoFactorRequirementService } from '#libs/access';
import { Database, accountStatement } from '#libs/database';
import type { Mailbox } from '#libs/entities';
import { MailboxesService } from '#libs/mailboxes';
import { AgentsService, GroupsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Me } from '../sign-in/session.guard.js';
import { actingOf } from '../shell/form-submission.js';
import type { AgentRow } from './agent-row.js';
import type { GroupsProps } from './groups.page.js';

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

/** Nobody reads more than this on one page; the API lists the rest. */
const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

@Injectable()
export class PeopleReader {
  constructor(
    private readonly database: Database,
    private readonly agentsService: AgentsService,
    private readonly groupsService: GroupsService,
    private readonly mailboxesService: MailboxesService,
    private readonly twoFactor: TwoFactorRequirementService,
  ) {}

  async agents(me: Me): Promise<AgentRow[]> {
    const [{ items }, counts, holders] = await Promise.all([
      this.agentsService.list(actingOf(me), UNPAGED),
      this.database.account(me.accountId).rows<{ id: string; count: number }>(OPEN_TICKETS),
      this.twoFactor.holders(me.accountId),
    ]);
    const openTickets = new Map(counts.map(({ id, count }) => [id, count]));
    return items.map((agent) => ({
      agent,
      openTickets: openTickets.get(agent.id) ?? 0,
      hasTwoFactor: holders.has(agent.id),
    }));
  }

  async mailboxes(me: Me): Promise<readonly Mailbox[]> {
    return (await this.mailboxesService.list(actingOf(me), UNPAGED)).items;
  }

  async groups(me: Me): Promise<GroupsProps> {
    const [groups, agents, lists] = await Promise.all([
      this.groupsService.list(actingOf(me), UNPAGED),
      this.agentsService.list(actingOf(me), UNPAGED),
      this.database.account(me.accountId).rows<{ id: string; members: string[] }>(MEMBERS),
    ]);
    const members = new Map(lists.map((list) => [list.id, list.members]));
    const rows = groups.items.map(({ id, name }) => ({ id, name, members: members.get(id) ?? [] }));
    return { groups: rows, agents: agents.items };
  }
}
