import { TwoFactorService } from '#libs/access';
import { Database } from '#libs/database';
import type { Agent } from '#libs/entities';
import { AgentsService, requireManager } from '#libs/tickets';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { type HandedInvitation, PasswordLinksService } from '../sign-in/password-links.service.js';
import { ChangeAgentDto, InviteAgentDto } from './agents.dto.js';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm, validateDto } from '../shell/form-submission.js';
import { type PageResponse, type PageContent, redirectWithNotice } from '../ui/page-response.js';
import { AssigneeDto } from '../tickets/index.js';
import { agentName } from '../ui/agent-name.js';
import { AgentsPage, InvitationLinkPage } from './agents.page.js';
import { COUNT_OPEN_TICKETS } from './people.statements.js';
import { KEEP_ASSIGNEE, TicketHandoverService } from './ticket-handover.service.js';

const IdParam = () => Param('id', new IdentifierPipe('agent'));

/** Bounds the pages, which have no pager. The API lists the rest. */
export const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

const PATH = '/settings/agents';

@Controller(PATH)
@ConsolePages({ navigation: { group: 'Settings', label: 'Agents', icon: 'people' } })
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
    const [{ items }, counts, holders] = await Promise.all([
      this.agents.list(actingOf(me), UNPAGED),
      this.database.account(me.accountId).rows<{ id: string; count: number }>(COUNT_OPEN_TICKETS),
      this.twoFactor.holders(me.accountId),
    ]);
    const openTickets = new Map(counts.map(({ id, count }) => [id, count]));
    const agents = items.map((agent) => ({
      agent,
      openTickets: openTickets.get(agent.id) ?? 0,
      hasTwoFactor: holders.has(agent.id),
    }));
    return { view: <AgentsPage agents={agents} canMail={this.passwordLinks.canMail} /> };
  }

  @Post()
  invite(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('email', 'first_name', 'last_name', 'role');
    return submitForm({ again: () => this.list(me), typed }, async () => {
      const dto = await validateDto(InviteAgentDto, body);
      return invited(await this.passwordLinks.invite(actingOf(me), dto.toInput()));
    });
  }

  @Post(':id/invite')
  async inviteAgain(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return invited(await this.passwordLinks.inviteAgain(actingOf(me), id));
  }

  @Post(':id/role')
  async changeRole(@Me() me: Me, @IdParam() id: string, @Body() { role }: ChangeAgentDto): Promise<PageResponse> {
    const agent = await this.agents.change(actingOf(me), id, { role: role ?? undefined });
    return redirectWithNotice(PATH, `${agent.email} is now an ${agent.role}.`);
  }

  @Post(':id/reset-two-factor')
  async resetTwoFactor(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const agent = await this.agents.read(actingOf(me), id);
    await this.twoFactor.reset(actingOf(me), agent.id);
    return redirectWithNotice(PATH, `${agent.email} now signs in with the password alone.`);
  }

  @Post(':id/archive')
  async archive(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const wanted = new FormFields(body).text('assignee');
    const keeps = wanted === '' || wanted === KEEP_ASSIGNEE;
    const receiver = keeps ? undefined : await this.receiver(me, id, body);
    const { email } = await this.agents.archive(actingOf(me), id);
    const given = receiver === undefined ? '' : await this.give(me, id, receiver);
    return redirectWithNotice(PATH, `${email} archived.${given && ` ${given}`}`);
  }

  @Post(':id/reassign')
  async reassign(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    requireManager(actingOf(me));
    return redirectWithNotice(PATH, await this.give(me, id, await this.receiver(me, id, body)));
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
  async restore(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const { email } = await this.agents.restore(actingOf(me), id);
    return redirectWithNotice(PATH, `${email} restored.`);
  }
}

const invited = ({ agent: { email }, link }: HandedInvitation): PageResponse =>
  link === undefined
    ? redirectWithNotice(PATH, `Invitation to ${email} is on its way.`)
    : { view: <InvitationLinkPage email={email} link={link} /> };
