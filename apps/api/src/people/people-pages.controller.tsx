import { TwoFactorService } from '#libs/access';
import { Database } from '#libs/database';
import type { Agent } from '#libs/entities';
import { AgentsService, requireManager, GroupsService } from '#libs/tickets';
import { Body, Get, Param, Post } from '@nestjs/common';
import { PasswordLinksService } from '../layers/sign-in/password-links.service.js';
import { ChangeAgentDto, InviteAgentDto, ChangeGroupDto, CreateGroupDto } from './people.dto.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { FormFields } from '../layers/ui/form-fields.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { submitForm, validateDto } from '../layers/shell/form-submission.js';
import { type PageResponse, type PageContent, redirectWithNotice } from '../layers/ui/page-response.js';
import { AssigneeDto } from '../tickets/index.js';
import { agentName } from '../layers/ui/agent-name.js';
import { AgentsPage, InvitationLinkPage } from './agents.page.js';
import { COUNT_OPEN_TICKETS, LIST_CONSOLE_WEBHOOKS, LIST_GROUP_MEMBERS } from './people.statements.js';
import { KEEP_ASSIGNEE, TicketHandoverService } from './ticket-handover.service.js';
import { GroupsPage } from './groups.page.js';

/** Bounds the pages, which have no pager. The API lists the rest. */
const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

const AGENTS_PATH = '/settings/agents';
const AGENT_ID = new IdentifierPipe('agent');

@ConsolePages(AGENTS_PATH, 'agents', { group: 'Team', label: 'Agents', icon: 'people' })
export class AgentPagesController {
  constructor(
    private readonly agents: AgentsService,
    private readonly database: Database,
    private readonly passwordLinks: PasswordLinksService,
    private readonly twoFactor: TwoFactorService,
    private readonly handover: TicketHandoverService,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const account = this.database.account(me.accountId);
    const [{ items }, counts, made, holders] = await Promise.all([
      this.agents.list(actingOf(me), UNPAGED),
      account.rows<{ id: string; count: number }>(COUNT_OPEN_TICKETS),
      account.rows<{ id: string; webhooks: string[] }>(LIST_CONSOLE_WEBHOOKS),
      this.twoFactor.holders(me.accountId),
    ]);
    const openTickets = new Map(counts.map(({ id, count }) => [id, count]));
    const agents = items.map((agent) => ({
      agent,
      openTickets: openTickets.get(agent.id) ?? 0,
      webhooks: made.find(({ id }) => id === agent.id)?.webhooks ?? [],
      hasTwoFactor: holders.has(agent.id),
    }));
    return { view: <AgentsPage agents={agents} canMail={this.passwordLinks.canMail} /> };
  }

  @Post()
  invite(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('email', 'first_name', 'last_name', 'role');
    return submitForm({ again: () => this.list(me), typed }, async () => {
      const dto = await validateDto(InviteAgentDto, body);
      return this.invited(me, await this.agents.invite(actingOf(me), dto.toInput()));
    });
  }

  @Post(':id/invite')
  inviteAgain(@Me() me: Me, @Param('id', AGENT_ID) id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.list(me) }, async () =>
      this.invited(me, await this.agents.inviteAgain(actingOf(me), id)),
    );
  }

  private async invited({ accountId }: Me, { id, email }: Agent): Promise<PageResponse> {
    const link = await this.passwordLinks.invitationLink(accountId, id);
    if (link !== undefined) return { view: <InvitationLinkPage email={email} link={link} /> };
    return redirectWithNotice(AGENTS_PATH, `Invitation sent to ${email}.`);
  }

  @Post(':id/role')
  async changeRole(@Me() me: Me, @Param('id', AGENT_ID) id: string, @Body() { role }: ChangeAgentDto) {
    const agent = await this.agents.change(actingOf(me), id, { role: role ?? undefined });
    return redirectWithNotice(AGENTS_PATH, `${agent.email} is now an ${agent.role}.`);
  }

  @Post(':id/reset-two-factor')
  async resetTwoFactor(@Me() me: Me, @Param('id', AGENT_ID) id: string): Promise<PageResponse> {
    const agent = await this.agents.read(actingOf(me), id);
    await this.twoFactor.reset(actingOf(me), agent.id);
    return redirectWithNotice(AGENTS_PATH, `${agent.email} now signs in with the password alone.`);
  }

  @Post(':id/archive')
  async archive(@Me() me: Me, @Param('id', AGENT_ID) id: string, @Body() body: object): Promise<PageResponse> {
    const wanted = new FormFields(body).text('assignee');
    const keeps = wanted === '' || wanted === KEEP_ASSIGNEE;
    const receiver = keeps ? undefined : await this.receiver(me, id, body);
    const { email } = await this.agents.archive(actingOf(me), id);
    const given = receiver === undefined ? '' : await this.give(me, id, receiver);
    return redirectWithNotice(AGENTS_PATH, `${email} archived.${given && ` ${given}`}`);
  }

  @Post(':id/reassign')
  async reassign(@Me() me: Me, @Param('id', AGENT_ID) id: string, @Body() body: object): Promise<PageResponse> {
    requireManager(actingOf(me));
    return redirectWithNotice(AGENTS_PATH, await this.give(me, id, await this.receiver(me, id, body)));
  }

  private async receiver(me: Me, from: string, body: object): Promise<Agent | null> {
    const dto = await validateDto(AssigneeDto, body);
    return this.handover.receiver(actingOf(me), from, dto.assigneeOrNull());
  }

  private async give(me: Me, from: string, to: Agent | null): Promise<string> {
    const given = await this.handover.give(actingOf(me), from, to);
    const tickets = given === 1 ? 'One ticket' : `${given} tickets`;
    return `${tickets} ${to ? `assigned to ${agentName(to)}` : 'unassigned'}.`;
  }

  @Post(':id/restore')
  async restore(@Me() me: Me, @Param('id', AGENT_ID) id: string): Promise<PageResponse> {
    const { email } = await this.agents.restore(actingOf(me), id);
    return redirectWithNotice(AGENTS_PATH, `${email} restored.`);
  }
}

const GROUPS_PATH = '/settings/groups';
const GROUP_ID = new IdentifierPipe('group');

@ConsolePages(GROUPS_PATH, 'managers', { group: 'Team', label: 'Groups', icon: 'people' })
export class GroupPagesController {
  constructor(
    private readonly groups: GroupsService,
    private readonly agents: AgentsService,
    private readonly database: Database,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const [groups, agents, lists] = await Promise.all([
      this.groups.list(actingOf(me), UNPAGED),
      this.agents.list(actingOf(me), UNPAGED),
      this.database.account(me.accountId).rows<{ id: string; members: string[] }>(LIST_GROUP_MEMBERS),
    ]);
    const members = new Map(lists.map((list) => [list.id, list.members]));
    const rows = groups.items.map(({ id, name }) => ({ id, name, members: members.get(id) ?? [] }));
    return { view: <GroupsPage groups={rows} agents={agents.items} /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    return submitForm({ again: () => this.list(me), typed: new FormFields(body).pick('name') }, async () => {
      const dto = await validateDto(CreateGroupDto, body);
      const { name } = await this.groups.create(actingOf(me), dto.toInput());
      return redirectWithNotice(GROUPS_PATH, `Group ${name} added.`);
    });
  }

  /** The ticked boxes are the complete list of members. */
  @Post(':id')
  change(@Me() me: Me, @Param('id', GROUP_ID) id: string, @Body() body: object): Promise<PageResponse> {
    const members = new FormFields(body).texts('agent');
    return submitForm({ again: () => this.list(me) }, async () => {
      const dto = await validateDto(ChangeGroupDto, { ...body, members });
      const { name } = await this.groups.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(GROUPS_PATH, `Group ${name} saved.`);
    });
  }

  @Post(':id/delete')
  delete(@Me() me: Me, @Param('id', GROUP_ID) id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.list(me) }, async () => {
      await this.groups.remove(actingOf(me), id);
      return redirectWithNotice(GROUPS_PATH, 'Group deleted.');
    });
  }
}
