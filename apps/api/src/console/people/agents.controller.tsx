import { TwoFactorService } from '#libs/access';
import { AgentsService } from '#libs/desk';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { type HandedInvitation, Invitations } from '../../sign-in/invitations.js';
import { ChangeAgentDto, InviteAgentDto } from '../../rest/agents/dto/agent.dto.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm, validateDto } from '../form-submission.js';
import { type PageResponse, type PageContent, redirectWithNotice } from '../../pages/page-response.js';
import { AgentsPage } from './agents.page.js';
import { InvitationLinkPage } from './invitation-link.page.js';
import { PeopleReader } from './people.reader.js';

const IdParam = () => Param('id', new IdentifierPipe('agent'));

const PATH = '/settings/agents';

@Controller(PATH)
@ConsolePages({ navigation: { group: 'Settings', label: 'Agents', icon: 'people' } })
export class ConsoleAgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly reader: PeopleReader,
    private readonly invitations: Invitations,
    private readonly twoFactor: TwoFactorService,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    return { view: <AgentsPage agents={await this.reader.agents(me)} canMail={this.invitations.canMail} /> };
  }

  @Post()
  invite(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('email', 'first_name', 'last_name', 'role');
    return submitForm({ again: () => this.list(me), typed }, async () => {
      const dto = await validateDto(InviteAgentDto, body);
      return handedOver(await this.invitations.invite(actingOf(me), dto.toInput()));
    });
  }

  @Post(':id/invite')
  async inviteAgain(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return handedOver(await this.invitations.inviteAgain(actingOf(me), id));
  }

  @Post(':id/role')
  async changeRole(@Me() me: Me, @IdParam() id: string, @Body() { role }: ChangeAgentDto): Promise<PageResponse> {
    const agent = await this.agents.change(actingOf(me), id, { role: role ?? undefined });
    return redirectWithNotice(PATH, `${agent.email} is ${agent.role} now.`);
  }

  @Post(':id/reset-two-factor')
  async resetTwoFactor(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const agent = await this.agents.read(actingOf(me), id);
    await this.twoFactor.reset(actingOf(me), agent.id);
    return redirectWithNotice(PATH, `${agent.email} signs in with the password alone now.`);
  }

  @Post(':id/archive')
  async archive(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const { email } = await this.agents.archive(actingOf(me), id);
    return redirectWithNotice(PATH, `${email} archived.`);
  }

  @Post(':id/restore')
  async restore(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const { email } = await this.agents.restore(actingOf(me), id);
    return redirectWithNotice(PATH, `${email} restored.`);
  }
}

/** The link is shown once, to whoever may invite. */
const handedOver = ({ agent: { email }, link }: HandedInvitation): PageResponse =>
  link === undefined
    ? redirectWithNotice(PATH, `An invitation is being mailed to ${email}.`)
    : { view: <InvitationLinkPage email={email} link={link} /> };
