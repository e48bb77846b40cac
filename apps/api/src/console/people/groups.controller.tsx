import { AgentsService, GroupsService } from '#libs/desk';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { ChangeGroupDto, CreateGroupDto } from '../../rest/groups/dto/group.dto.js';
import { NamePipe } from '../../http/name.pipe.js';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import { ACCEPTED, type Refused, actingOf, attempt, checked } from '../forms.js';
import type { PageAnswer, View } from '../../pages/page.js';
import { ALL } from './all.js';
import { GroupsPage } from './groups.page.js';
import { ManagersGuard } from './managers.guard.js';
import { PeopleRows } from './people.rows.js';

const Which = () => Param('id', new NamePipe('group'));

@Controller('settings/groups')
@UseGuards(ManagersGuard)
@DeskPages()
export class GroupsPages {
  constructor(
    private readonly groups: GroupsService,
    private readonly agents: AgentsService,
    private readonly rows: PeopleRows,
  ) {}

  @Get()
  list(@Me() me: Me): Promise<PageAnswer> {
    return this.page(me, {}, ACCEPTED);
  }

  @Post()
  create(@Me() me: Me, @Body() body: object): Promise<PageAnswer> {
    return attempt(
      async () => {
        const dto = await checked(CreateGroupDto, body);
        const { name } = await this.groups.create(actingOf(me), dto.wanted());
        return done(`Group ${name} added.`);
      },
      (refused) => this.page(me, new Form(body).texted('name'), refused),
    );
  }

  /** Unticked boxes are not sent: what is ticked is all of the members. */
  @Post(':id')
  change(@Me() me: Me, @Which() id: string, @Body() body: object): Promise<PageAnswer> {
    const members = new Form(body).texts('agent');
    return attempt(
      async () => {
        const dto = await checked(ChangeGroupDto, { ...body, members });
        const { name } = await this.groups.change(actingOf(me), id, dto.wanted());
        return done(`Group ${name} saved.`);
      },
      (refused) => this.page(me, {}, refused),
    );
  }

  @Post(':id/delete')
  delete(@Me() me: Me, @Which() id: string): Promise<PageAnswer> {
    return attempt(
      async () => {
        await this.groups.remove(actingOf(me), id);
        return done('Group deleted.');
      },
      (refused) => this.page(me, {}, refused),
    );
  }

  private async page(me: Me, values: Readonly<Record<string, string>>, refused: Refused): Promise<View> {
    const [groups, agents, members] = await Promise.all([
      this.groups.list(actingOf(me), ALL),
      this.agents.list(actingOf(me), ALL),
      this.rows.members(me.accountId),
    ]);
    const rows = groups.items.map(({ id, name }) => ({ id, name, members: members.get(id) ?? [] }));
    return { view: <GroupsPage view={{ groups: rows, agents: agents.items, values, ...refused }} /> };
  }
}

const done = (text: string): PageAnswer => ({ redirect: '/settings/groups', notice: { tone: 'good', text } });
