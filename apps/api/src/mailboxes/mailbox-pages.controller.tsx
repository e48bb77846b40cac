import { MailboxChecksService, MailboxesService } from '#libs/mailboxes';
import { CustomerMailsService } from '#libs/tickets';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, normalizeLineEndings, submitForm, validateDto } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { type MailboxSectionName, mailboxPath } from './mailbox-section.js';
import { MailboxPage } from './mailbox.page.js';
import { MailboxReader } from './mailbox.reader.js';
import { ChangeMailboxDto, CreateMailboxDto } from './mailboxes.dto.js';
import { MailboxesPage } from './mailboxes.page.js';

const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

/** Bounds the list, which has no pager. The API lists the rest. */
const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

@Controller('settings/mailboxes')
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Mailboxes', icon: 'mail' } })
export class MailboxPagesController {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly checks: MailboxChecksService,
    private readonly mails: CustomerMailsService,
    private readonly reader: MailboxReader,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const { items } = await this.mailboxes.list(actingOf(me), UNPAGED);
    const listed = items.map((mailbox) => ({ mailbox, route: this.mails.routeOf(mailbox) }));
    return { view: <MailboxesPage mailboxes={listed} /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'email', 'replies_by_mail');
    return submitForm({ again: () => this.list(me), typed }, async () => {
      const dto = await validateDto(CreateMailboxDto, body);
      const { id, name } = await this.mailboxes.create(actingOf(me), dto.toInput());
      return redirectWithNotice(mailboxPath(id), `Mailbox ${name} added.`);
    });
  }

  @Get(':id')
  show(@Me() me: Me, @IdParam() id: string): Promise<PageContent> {
    return this.page(me, id);
  }

  @Post(':id')
  change(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'email', 'replies_by_mail');
    return submitForm({ again: () => this.page(me, id, 'address'), typed }, async () => {
      const dto = await validateDto(ChangeMailboxDto, body);
      const changed = await this.mailboxes.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(changed.id), `Mailbox ${changed.name} saved.`);
    });
  }

  @Post(':id/signature')
  sign(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const signature = normalizeLineEndings(new FormFields(body).text('signature'));
    return submitForm({ again: () => this.page(me, id, 'signature'), typed: { signature } }, async () => {
      const dto = await validateDto(ChangeMailboxDto, { signature });
      const changed = await this.mailboxes.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(changed.id), 'Signature saved.');
    });
  }

  @Post(':id/sender-checks')
  setAuthservId(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('authserv_id');
    return submitForm({ again: () => this.page(me, id, 'sender-checks'), typed }, async () => {
      const dto = await validateDto(ChangeMailboxDto, typed);
      const changed = await this.mailboxes.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(changed.id), 'Saved. Applies to new mail.');
    });
  }

  @Post(':id/test')
  check(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id, 'test') }, async () => {
      await this.checks.start(actingOf(me), id);
      return redirectWithNotice(mailboxPath(id), 'Mailbox check started.');
    });
  }

  @Post(':id/delete')
  delete(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id, 'removal') }, async () => {
      await this.mailboxes.remove(actingOf(me), id);
      return redirectWithNotice('/settings/mailboxes', 'Mailbox deleted.');
    });
  }

  private async page(me: Me, id: string, refused?: MailboxSectionName): Promise<PageContent> {
    return { view: <MailboxPage {...await this.reader.read(me, id)} refused={refused} /> };
  }
}
