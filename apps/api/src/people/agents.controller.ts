import { Links, RECORDS, objectOf, ref } from '#libs/payloads';
import { AgentsService } from '#libs/tickets';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { AgentsQueryDto, ChangeAgentDto, InviteAgentDto } from './agents.dto.js';

const EMAIL = new IdentifierPipe('agent');

@Controller('v1/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @Scopes('read', 'admin')
  @ApiOperation('List agents, by e-mail', { list: ['agents', 'Agent'] })
  list(@Caller() caller: Caller, @Query() query: AgentsQueryDto) {
    return this.agents.list(caller, query.toQuery());
  }

  @Post()
  @Scopes('admin')
  @ApiOperation('Invite an agent', {
    created: ['agent', 'Agent'],
    conflicts: ['agent_exists'],
    emits: ['agent_invited'],
  })
  invite(@Caller() caller: Caller, @Body() dto: InviteAgentDto) {
    return this.agents.invite(caller, dto.toInput());
  }

  @Get(':email')
  @Scopes('read', 'admin')
  @ApiOperation('Read an agent', { record: ['agent', 'Agent'] })
  read(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.agents.read(caller, email);
  }

  @Put(':email')
  @Scopes('admin')
  @ApiOperation('Change an agent’s names or role', { record: ['agent', 'Agent'], conflicts: ['last_owner'] })
  change(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeAgentDto) {
    return this.agents.change(caller, email, dto.toInput());
  }

  @Post(':email/archive')
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Archive an agent', {
    record: ['agent', 'Agent'],
    conflicts: ['last_owner'],
    emits: ['agent_archived'],
  })
  archive(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.agents.archive(caller, email);
  }

  @Post(':email/restore')
  @HttpCode(200)
  @Scopes('admin')
  @ApiOperation('Restore an archived agent', { record: ['agent', 'Agent'] })
  restore(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.agents.restore(caller, email);
  }
}

const ME = objectOf({ agent: ref('Agent'), account: objectOf({ id: { type: 'string' }, name: { type: 'string' } }) });

@Controller('v1/me')
@Scopes()
export class MeController {
  constructor(
    private readonly agents: AgentsService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('Read the agent who owns the token, and the account', { responseSchema: ME })
  async read(@Caller() caller: Caller) {
    const { agent, account } = await this.agents.me(caller);
    return { agent: RECORDS.Agent(agent, this.links), account };
  }
}
