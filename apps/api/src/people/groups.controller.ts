import { GroupsService } from '#libs/tickets';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { ChangeGroupDto, CreateGroupDto, GroupsQueryDto } from './groups.dto.js';

const ID = new IdentifierPipe('group');

@Controller('v1/groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Scopes('read', 'admin')
  @ApiOperation('List groups, by name', { list: ['groups', 'Group'] })
  list(@Caller() caller: Caller, @Query() query: GroupsQueryDto) {
    return this.groups.list(caller, query.toQuery());
  }

  @Post()
  @Scopes('admin')
  @ApiOperation('Add a group', { created: ['group', 'Group'], conflicts: ['group_exists'] })
  create(@Caller() caller: Caller, @Body() dto: CreateGroupDto) {
    return this.groups.create(caller, dto.toInput());
  }

  @Get(':id')
  @Scopes('read', 'admin')
  @ApiOperation('Read a group', { record: ['group', 'Group'] })
  read(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.groups.read(caller, id);
  }

  @Put(':id')
  @Scopes('admin')
  @ApiOperation('Change a group’s name or members', { record: ['group', 'Group'], conflicts: ['group_exists'] })
  change(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeGroupDto) {
    return this.groups.change(caller, id, dto.toInput());
  }

  @Delete(':id')
  @HttpCode(204)
  @Scopes('admin')
  @ApiOperation('Delete a group that has no tickets', { conflicts: ['group_in_use'] })
  remove(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    return this.groups.remove(caller, id);
  }
}
