import { GroupsService } from '#libs/desk';
import { type Group } from '#libs/entities';
import { Links, groupPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { ChangeGroupDto, CreateGroupDto, GroupsQueryDto } from './dto/group.dto.js';

const ID = new IdentifierPipe('group');

@Controller('v1/groups')
export class GroupsController {
  constructor(
    private readonly groups: GroupsService,
    private readonly links: Links,
  ) {}

  @Get()
  @Scopes('read', 'admin')
  @ApiOperation('List groups, by name', { list: ['groups', 'Group'] })
  async list(@Caller() caller: Caller, @Query() query: GroupsQueryDto) {
    return new ListResponse('groups', await this.groups.list(caller, query.toQuery()), this.payload);
  }

  @Post()
  @Scopes('admin')
  @ApiOperation('Add a group', { created: ['group', 'Group'], conflicts: ['group_exists'] })
  async create(@Caller() caller: Caller, @Body() dto: CreateGroupDto) {
    const group = await this.groups.create(caller, dto.toInput());
    return new CreatedResponse(this.links.record('groups', group.id), this.present(group));
  }

  @Get(':id')
  @Scopes('read', 'admin')
  @ApiOperation('Read a group', { record: ['group', 'Group'] })
  async read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.present(await this.groups.read(caller, id));
  }

  @Put(':id')
  @Scopes('admin')
  @ApiOperation('Change a group’s name or members', { record: ['group', 'Group'], conflicts: ['group_exists'] })
  async change(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeGroupDto) {
    return this.present(await this.groups.change(caller, id, dto.toInput()));
  }

  @Delete(':id')
  @HttpCode(204)
  @Scopes('admin')
  @ApiOperation('Delete a group that has no tickets', { conflicts: ['group_in_use'] })
  remove(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.groups.remove(caller, id);
  }

  private readonly payload = (group: Group) => groupPayload(group, this.links);
  private readonly present = (group: Group) => ({ group: this.payload(group) });
}
