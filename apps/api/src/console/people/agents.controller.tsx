import { AgentsService } from '#libs/desk';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Invitations } from '../../sign-in/invitations.js';
import { ChangeAgentDto, InviteAgentDto } from '../../rest/agents/dto/agent.dto.js';
import { NamePipe } from '../../http/name.pipe.js';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import { ACCEPTED, type Refused, actingOf, attempt, checked } from '../forms.js';
import type { PageAnswer, View } from '../../pages/page.js';
import { ALL } from './all.js';
import { AgentsPage } from './agents.page.js';
import { PeopleRows } from './people.rows.js';

const Who = () => Param('id', new NamePipe('agent'));

@Controller('settings/agents')
@DeskPages()
export class AgentsPages {
  constructor(
    private readonly agents: AgentsService,
    private readonly rows: PeopleRows,
    private readonly invitations: Invitations,
  ) {}

  @Get()
  list(@Me() me: Me): Promise<PageAnswer> {
    return this.page(me, {}, ACCEPTED);
  }

  @Post()
  invite(@Me() me: Me, @Body() body: object): Promise<PageAnswer> {
    return attempt(
      async () => {
        const dto = await checked(InviteAgentDto, body);
        const agent = await this.invitations.invite(actingOf(me), dto.wanted());
        return done(`${agent.email} invited.`);
      },
      (refused) => this.page(me, new Form(body).texted('email', 'first_name', 'last_name', 'role'), refused),
    );
  }

  @Post(':id/invite')
  async inviteAgain(@Me() me: Me, @Who() id: string): Promise<PageAnswer> {
    const { email } = await this.invitations.again(actingOf(me), id);
    return done(`${email} invited again.`);
  }

  @Post(':id/role')
  async changeRole(@Me() me: Me, @Who() id: string, @Body() { role }: ChangeAgentDto): Promise<PageAnswer> {
    const agent = await this.agents.change(actingOf(me), id, { role: role ?? undefined });
    return done(`${agent.email} is ${agent.role} now.`);
  }

  @Post(':id/archive')
  async archive(@Me() me: Me, @Who() id: string): Promise<PageAnswer> {
    const { email } = await this.agents.archive(actingOf(me), id);
    return done(`${email} archived.`);
  }

  @Post(':id/restore')
  async restore(@Me() me: Me, @Who() id: string): Promise<PageAnswer> {
    const { email } = await this.agents.restore(actingOf(me), id);
    return done(`${email} restored.`);
  }

  private async page(me: Me, values: Readonly<Record<string, string>>, refused: Refused): Promise<View> {
    const [{ items }, open] = await Promise.all([
      this.agents.list(actingOf(me), ALL),
      this.rows.openTickets(me.accountId),
    ]);
    const agents = items.map((agent) => ({ agent, openTickets: open.get(agent.id) ?? 0 }));
    return { view: <AgentsPage view={{ agents, values, ...refused }} /> };
  }
}

const done = (text: string): PageAnswer => ({ redirect: '/settings/agents', notice: { tone: 'good', text } });
