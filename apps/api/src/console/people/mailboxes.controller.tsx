import { MailboxesService } from '#libs/desk';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { NamePipe } from '../../http/name.pipe.js';
import { ChangeMailboxDto, CreateMailboxDto } from '../../rest/mailboxes/dto/mailbox.dto.js';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import { ACCEPTED, type Refused, actingOf, attempt, checked } from '../forms.js';
import type { PageAnswer, View } from '../../pages/page.js';
import { ALL } from './all.js';
import { MailboxesPage } from './mailboxes.page.js';
import { ManagersGuard } from './managers.guard.js';

const Which = () => Param('id', new NamePipe('mailbox'));

@Controller('settings/mailboxes')
@UseGuards(ManagersGuard)
@DeskPages()
export class MailboxesPages {
  constructor(private readonly mailboxes: MailboxesService) {}

  @Get()
  list(@Me() me: Me): Promise<PageAnswer> {
    return this.page(me, {}, ACCEPTED);
  }

  @Post()
  create(@Me() me: Me, @Body() body: object): Promise<PageAnswer> {
    return attempt(
      async () => {
        const dto = await checked(CreateMailboxDto, body);
        const { name } = await this.mailboxes.create(actingOf(me), dto.wanted());
        return done(`Mailbox ${name} added.`);
      },
      (refused) => this.page(me, new Form(body).texted('name', 'email'), refused),
    );
  }

  @Post(':id')
  change(@Me() me: Me, @Which() id: string, @Body() body: object): Promise<PageAnswer> {
    return attempt(
      async () => {
        const dto = await checked(ChangeMailboxDto, body);
        const { name } = await this.mailboxes.change(actingOf(me), id, dto.wanted());
        return done(`Mailbox ${name} saved.`);
      },
      (refused) => this.page(me, {}, refused),
    );
  }

  @Post(':id/delete')
  delete(@Me() me: Me, @Which() id: string): Promise<PageAnswer> {
    return attempt(
      async () => {
        await this.mailboxes.remove(actingOf(me), id);
        return done('Mailbox deleted.');
      },
      (refused) => this.page(me, {}, refused),
    );
  }

  private async page(me: Me, values: Readonly<Record<string, string>>, refused: Refused): Promise<View> {
    const { items } = await this.mailboxes.list(actingOf(me), ALL);
    return { view: <MailboxesPage view={{ mailboxes: items, values, ...refused }} /> };
  }
}

const done = (text: string): PageAnswer => ({ redirect: '/settings/mailboxes', notice: { tone: 'good', text } });
