import { GroupsService } from '#libs/desk';
import { type Group } from '#libs/entities';
import { Links, groupPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { Describe } from '../../docs/describe.js';
import { Created, Listed } from '../../http/answers.js';
import { NamePipe } from '../../http/name.pipe.js';
import { BearerGuard, Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { ChangeGroupDto, CreateGroupDto, GroupsQueryDto } from './dto/group.dto.js';

const ID = new NamePipe('group');

@Controller('v1/groups')
@UseGuards(BearerGuard)
export class GroupsController {
  constructor(
    private readonly groups: GroupsService,
    private readonly links: Links,
  ) {}

  @Get()
  @Scopes('read', 'admin')
  @Describe('List groups, by name', { list: ['groups', 'Group'] })
  async list(@Caller() caller: Caller, @Query() query: GroupsQueryDto) {
    return new Listed('groups', await this.groups.list(caller, query.wanted()), this.payload);
  }

  @Post()
  @Scopes('admin')
  @Describe('Add a group', { created: ['group', 'Group'], conflicts: ['group_exists'] })
  async create(@Caller() caller: Caller, @Body() dto: CreateGroupDto) {
    const group = await this.groups.create(caller, dto.wanted());
    return new Created(this.links.group(group.id), this.present(group));
  }

  @Get(':id')
  @Scopes('read', 'admin')
  @Describe('Read a group', { one: ['group', 'Group'] })
  async read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.present(await this.groups.read(caller, id));
  }

  @Put(':id')
  @Scopes('admin')
  @Describe('Change a group’s name or members', { one: ['group', 'Group'], conflicts: ['group_exists'] })
  async change(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeGroupDto) {
    return this.present(await this.groups.change(caller, id, dto.wanted()));
  }

  @Delete(':id')
  @HttpCode(204)
  @Scopes('admin')
  @Describe('Delete a group that has no tickets', { conflicts: ['group_in_use'] })
  remove(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.groups.remove(caller, id);
  }

  private readonly payload = (group: Group) => groupPayload(group, this.links);
  private readonly present = (group: Group) => ({ group: this.payload(group) });
}
