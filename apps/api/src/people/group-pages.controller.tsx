import { Database } from '#libs/database';
import { AgentsService, GroupsService } from '#libs/tickets';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ChangeGroupDto, CreateGroupDto } from './groups.dto.js';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm, validateDto } from '../shell/form-submission.js';
import { type PageResponse, type PageContent, redirectWithNotice } from '../ui/page-response.js';
import { UNPAGED } from './agent-pages.controller.js';
import { GroupsPage } from './groups.page.js';
import { LIST_GROUP_MEMBERS } from './people.statements.js';

const IdParam = () => Param('id', new IdentifierPipe('group'));

const PATH = '/settings/groups';

@Controller(PATH)
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Groups', icon: 'people' } })
export class GroupPagesController {
  constructor(
    private readonly groups: GroupsService,
    private readonly agents: AgentsService,
    private readonly database: Database,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const [groups, agents, lists] = await Promise.all([
      this.groups.list(actingOf(me), UNPAGED),
      this.agents.list(actingOf(me), UNPAGED),
      this.database.account(me.accountId).rows<{ id: string; members: string[] }>(LIST_GROUP_MEMBERS),
    ]);
    const members = new Map(lists.map((list) => [list.id, list.members]));
    const rows = groups.items.map(({ id, name }) => ({ id, name, members: members.get(id) ?? [] }));
    return { view: <GroupsPage groups={rows} agents={agents.items} /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    return submitForm({ again: () => this.list(me), typed: new FormFields(body).pick('name') }, async () => {
      const dto = await validateDto(CreateGroupDto, body);
      const { name } = await this.groups.create(actingOf(me), dto.toInput());
      return redirectWithNotice(PATH, `Group ${name} added.`);
    });
  }

  /** The ticked boxes are the complete list of members. */
  @Post(':id')
  change(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const members = new FormFields(body).texts('agent');
    return submitForm({ again: () => this.list(me) }, async () => {
      const dto = await validateDto(ChangeGroupDto, { ...body, members });
      const { name } = await this.groups.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(PATH, `Group ${name} saved.`);
    });
  }

  @Post(':id/delete')
  delete(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.list(me) }, async () => {
      await this.groups.remove(actingOf(me), id);
      return redirectWithNotice(PATH, 'Group deleted.');
    });
  }
}
