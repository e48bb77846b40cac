import { AgentsService } from '#libs/desk';
import { type Agent } from '#libs/entities';
import { Links, agentPayload } from '#libs/payloads';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { Describe } from '../../docs/describe.js';
import { Created, Listed } from '../../http/answers.js';
import { NamePipe } from '../../http/name.pipe.js';
import { BearerGuard, Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { Invitations } from '../../sign-in/invitations.js';
import { AgentsQueryDto, ChangeAgentDto, InviteAgentDto } from './dto/agent.dto.js';

const EMAIL = new NamePipe('agent');

@Controller('v1/agents')
@UseGuards(BearerGuard)
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly invitations: Invitations,
    private readonly links: Links,
  ) {}

  @Get()
  @Scopes('read', 'admin')
  @Describe('List agents, by e-mail', { list: ['agents', 'Agent'] })
  async list(@Caller() caller: Caller, @Query() query: AgentsQueryDto) {
    return new Listed('agents', await this.agents.list(caller, query.wanted()), this.payload);
  }

  @Post()
  @Scopes('admin')
  @Describe('Invite an agent', { created: ['agent', 'Agent'], conflicts: ['agent_exists'] })
  async invite(@Caller() caller: Caller, @Body() dto: InviteAgentDto) {
    const agent = await this.invitations.invite(caller, dto.wanted());
    return new Created(this.links.agent(agent.email), this.present(agent));
  }

  @Get(':email')
  @Scopes('read', 'admin')
  @Describe('Read an agent', { one: ['agent', 'Agent'] })
  async read(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.agents.read(caller, email));
  }

  @Put(':email')
  @Scopes('admin')
  @Describe('Change an agent’s names or role', { one: ['agent', 'Agent'], conflicts: ['last_owner'] })
  async change(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeAgentDto) {
    return this.present(await this.agents.change(caller, email, dto.wanted()));
  }

  @Post(':email/archive')
  @HttpCode(200)
  @Scopes('admin')
  @Describe('Archive an agent', { one: ['agent', 'Agent'], conflicts: ['last_owner'] })
  async archive(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.agents.archive(caller, email));
  }

  @Post(':email/restore')
  @HttpCode(200)
  @Scopes('admin')
  @Describe('Restore an archived agent', { one: ['agent', 'Agent'] })
  async restore(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.agents.restore(caller, email));
  }

  private readonly payload = (agent: Agent) => agentPayload(agent, this.links);
  private readonly present = (agent: Agent) => ({ agent: this.payload(agent) });
}
