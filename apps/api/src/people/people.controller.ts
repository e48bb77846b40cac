import { Links, RECORDS, json, objectOf, ref } from '#libs/payloads';
import { AgentsService, GroupsService } from '#libs/tickets';
import { Body, Controller, Get, Param, Post, Put, Query, Delete } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { Caller } from '../layers/edge/caller.js';
import {
  AgentsQueryDto,
  ChangeAgentDto,
  InviteAgentDto,
  ChangeGroupDto,
  CreateGroupDto,
  GroupsQueryDto,
} from './people.dto.js';

const EMAIL = new IdentifierPipe('agent');

@Controller('v1/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @Scopes('people:read')
  @ApiOperation('List agents, by email', { list: ['agents', 'Agent'] })
  listAgents(@Caller() caller: Caller, @Query() query: AgentsQueryDto) {
    return this.agents.list(caller, query.toQuery());
  }

  @Post()
  @Scopes('settings')
  @ApiOperation('Invite an agent', {
    created: ['agent', 'Agent'],
    conflicts: ['agent_exists'],
    emits: ['agent_invited'],
  })
  inviteAgent(@Caller() caller: Caller, @Body() dto: InviteAgentDto) {
    return this.agents.invite(caller, dto.toInput());
  }

  @Get(':email')
  @Scopes('people:read')
  @ApiOperation('Read an agent', { record: ['agent', 'Agent'] })
  readAgent(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.agents.read(caller, email);
  }

  @Put(':email')
  @Scopes('settings')
  @ApiOperation('Change an agent’s names or role', { record: ['agent', 'Agent'], conflicts: ['last_owner'] })
  changeAgent(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeAgentDto) {
    return this.agents.change(caller, email, dto.toInput());
  }

  @Post(':email/archive')
  @Scopes('settings')
  @ApiOperation('Archive an agent', {
    record: ['agent', 'Agent'],
    conflicts: ['last_owner'],
    emits: ['agent_archived'],
  })
  archiveAgent(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.agents.archive(caller, email);
  }

  @Post(':email/restore')
  @Scopes('settings')
  @ApiOperation('Restore an archived agent', { record: ['agent', 'Agent'] })
  restoreAgent(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.agents.restore(caller, email);
  }
}

const ID_ONLY = objectOf({ id: json.id });
const ME = objectOf({
  agent: ref('Agent'),
  account: objectOf({ id: json.id, name: json.text('Its name.') }, 'The account that the token belongs to.'),
  token: {
    anyOf: [ID_ONLY, { type: 'null' }],
    description: 'The personal access token, as events name it. Null for tokens of applications.',
  },
});

@Controller('v1/me')
@Scopes()
export class MeController {
  constructor(
    private readonly agents: AgentsService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('Read the agent who owns the token, and the account', { responseSchema: ME })
  async readMe(@Caller() caller: Caller) {
    const { agent, account } = await this.agents.me(caller);
    const token = caller.applicationId === null ? { id: caller.grantId } : null;
    return { agent: RECORDS.Agent(agent, this.links), account, token };
  }
}

const ID = new IdentifierPipe('group');

@Controller('v1/groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Scopes('people:read')
  @ApiOperation('List groups, by name', { list: ['groups', 'Group'] })
  listGroups(@Caller() caller: Caller, @Query() query: GroupsQueryDto) {
    return this.groups.list(caller, query.toQuery());
  }

  @Post()
  @Scopes('settings')
  @ApiOperation('Add a group', { created: ['group', 'Group'], conflicts: ['group_exists'] })
  createGroup(@Caller() caller: Caller, @Body() dto: CreateGroupDto) {
    return this.groups.create(caller, dto.toInput());
  }

  @Get(':id')
  @Scopes('people:read')
  @ApiOperation('Read a group', { record: ['group', 'Group'] })
  readGroup(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.groups.read(caller, id);
  }

  @Put(':id')
  @Scopes('settings')
  @ApiOperation('Change a group’s name or members', { record: ['group', 'Group'], conflicts: ['group_exists'] })
  changeGroup(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeGroupDto) {
    return this.groups.change(caller, id, dto.toInput());
  }

  @Delete(':id')
  @Scopes('settings')
  @ApiOperation('Delete a group that has no tickets', { conflicts: ['group_in_use'] })
  deleteGroup(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.groups.remove(caller, id);
  }
}
