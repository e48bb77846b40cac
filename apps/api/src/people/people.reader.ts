import { TwoFactorRequirementService } from '#libs/access';
import { Database } from '#libs/database';
import type { Agent } from '#libs/entities';
import { AgentsService, GroupsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Me } from '../sign-in/session.guard.js';
import { actingOf } from '../shell/form-submission.js';
import type { GroupsProps } from './groups.page.js';
import { COUNT_OPEN_TICKETS, LIST_GROUP_MEMBERS } from './people.statements.js';

/** Bounds the pages, which have no pager. The API lists the rest. */
const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

export interface AgentRow {
  readonly agent: Agent;
  readonly openTickets: number;
  readonly hasTwoFactor: boolean;
}

@Injectable()
export class PeopleReader {
  constructor(
    private readonly database: Database,
    private readonly agentsService: AgentsService,
    private readonly groupsService: GroupsService,
    private readonly twoFactor: TwoFactorRequirementService,
  ) {}

  async agents(me: Me): Promise<AgentRow[]> {
    const [{ items }, counts, holders] = await Promise.all([
      this.agentsService.list(actingOf(me), UNPAGED),
      this.database.account(me.accountId).rows<{ id: string; count: number }>(COUNT_OPEN_TICKETS),
      this.twoFactor.holders(me.accountId),
    ]);
    const openTickets = new Map(counts.map(({ id, count }) => [id, count]));
    return items.map((agent) => ({
      agent,
      openTickets: openTickets.get(agent.id) ?? 0,
      hasTwoFactor: holders.has(agent.id),
    }));
  }

  async groups(me: Me): Promise<GroupsProps> {
    const [groups, agents, lists] = await Promise.all([
      this.groupsService.list(actingOf(me), UNPAGED),
      this.agentsService.list(actingOf(me), UNPAGED),
      this.database.account(me.accountId).rows<{ id: string; members: string[] }>(LIST_GROUP_MEMBERS),
    ]);
    const members = new Map(lists.map((list) => [list.id, list.members]));
    const rows = groups.items.map(({ id, name }) => ({ id, name, members: members.get(id) ?? [] }));
    return { groups: rows, agents: agents.items };
  }
}
