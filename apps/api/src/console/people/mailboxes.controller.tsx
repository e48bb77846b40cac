import { MailboxesService } from '#libs/desk';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { ChangeMailboxDto, CreateMailboxDto } from '../../rest/mailboxes/dto/mailbox.dto.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm, validateDto } from '../form-submission.js';
import { type PageResponse, type PageContent, redirectWithNotice } from '../../pages/page-response.js';
import { MailboxesPage } from './mailboxes.page.js';
import { PeopleReader } from './people.reader.js';

const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

const PATH = '/settings/mailboxes';

@Controller(PATH)
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Mailboxes', icon: 'mail' } })
export class ConsoleMailboxesController {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly reader: PeopleReader,
  ) {}

  @Get()
  list(@Me() me: Me): Promise<PageContent> {
    return this.page(me);
  }

  @Post()
  create(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'email', 'replies_by_mail');
    return submitForm({ again: () => this.page(me), typed }, async () => {
      const dto = await validateDto(CreateMailboxDto, body);
      const { name } = await this.mailboxes.create(actingOf(me), dto.toInput());
      return redirectWithNotice(PATH, `Mailbox ${name} added.`);
    });
  }

  @Post(':id')
  change(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'email', 'replies_by_mail');
    return submitForm({ again: () => this.page(me, id), typed }, async () => {
      const dto = await validateDto(ChangeMailboxDto, body);
      const { name } = await this.mailboxes.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(PATH, `Mailbox ${name} saved.`);
    });
  }

  @Post(':id/delete')
  delete(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id) }, async () => {
      await this.mailboxes.remove(actingOf(me), id);
      return redirectWithNotice(PATH, 'Mailbox deleted.');
    });
  }

  private async page(me: Me, refused?: string): Promise<PageContent> {
    return { view: <MailboxesPage mailboxes={await this.reader.mailboxes(me)} refused={refused} /> };
  }
}
