import { AgentsService } from '#libs/desk';
import { type Agent } from '#libs/entities';
import { Links, agentPayload } from '#libs/payloads';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { Invitations } from '../../sign-in/invitations.js';
import { AgentsQueryDto, ChangeAgentDto, InviteAgentDto } from './dto/agent.dto.js';

const EMAIL = new IdentifierPipe('agent');

@Controller('v1/agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly invitations: Invitations,
    private readonly links: Links,
  ) {}

  @Get()
  @Scopes('read', 'admin')
  @ApiOperation('List agents, by e-mail', { list: ['agents', 'Agent'] })
  async list(@Caller() caller: Caller, @Query() query: AgentsQueryDto) {
    return new ListResponse('agents', await this.agents.list(caller, query.toQuery()), this.payload);
  }

  @Post()
  @Scopes('admin')
  @ApiOperation('Invite an agent', { created: ['agent', 'Agent'], conflicts: ['agent_exists'] })
  async invite(@Caller() caller: Caller, @Body() dto: InviteAgentDto) {
    const agent = await this.invitations.invite(caller, dto.toInput());
    return new CreatedResponse(this.links.agent(agent.email), this.present(agent));
  }

  @Get(':email')
  @Scopes('read', 'admin')
  @ApiOperation('Read an agent', { record: ['agent', 'Agent'] })
  async read(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.agents.read(caller, email));
  }

  @Put(':email')
  @Scopes('admin')
  @ApiOperation('Change an agent’s names or role', { record: ['agent', 'Agent'], conflicts: ['last_owner'] })
  async change(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeAgentDto) {
    return this.present(await this.agents.change(caller, email, dto.toInput()));
  }

  @Post(':email/archive')
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Archive an agent', { record: ['agent', 'Agent'], conflicts: ['last_owner'] })
  async archive(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.agents.archive(caller, email));
  }

  @Post(':email/restore')
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Restore an archived agent', { record: ['agent', 'Agent'] })
  async restore(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.agents.restore(caller, email));
  }

  private readonly payload = (agent: Agent) => agentPayload(agent, this.links);
  private readonly present = (agent: Agent) => ({ agent: this.payload(agent) });
}
