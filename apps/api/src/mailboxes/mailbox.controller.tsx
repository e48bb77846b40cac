import { MailboxTestsService, MailboxesService } from '#libs/mailboxes';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../edge/identifier.pipe.js';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { ChangeMailboxDto } from './mailbox.dto.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, normalizeLineEndings, submitForm, validateDto } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { mailboxPath } from './mailbox-paths.js';
import type { MailboxSectionName } from './mailbox-section.js';
import { MailboxPage } from './mailbox.page.js';
import { MailboxReader } from './mailbox.reader.js';

const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

@Controller('settings/mailboxes/:id')
@ConsolePages({ audience: 'managers' })
export class MailboxController {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly tests: MailboxTestsService,
    private readonly reader: MailboxReader,
  ) {}

  @Get()
  show(@Me() me: Me, @IdParam() id: string): Promise<PageContent> {
    return this.page(me, id);
  }

  @Post()
  change(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'email', 'replies_by_mail');
    return submitForm({ again: () => this.page(me, id, 'address'), typed }, async () => {
      const dto = await validateDto(ChangeMailboxDto, body);
      const changed = await this.mailboxes.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(changed.id), `Mailbox ${changed.name} saved.`);
    });
  }

  @Post('signature')
  sign(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const signature = normalizeLineEndings(new FormFields(body).text('signature'));
    return submitForm({ again: () => this.page(me, id, 'signature'), typed: { signature } }, async () => {
      const dto = await validateDto(ChangeMailboxDto, { signature });
      const changed = await this.mailboxes.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(changed.id), 'Signature saved.');
    });
  }

  @Post('sender-checks')
  trust(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('authserv_id');
    return submitForm({ again: () => this.page(me, id, 'sender-checks'), typed }, async () => {
      const dto = await validateDto(ChangeMailboxDto, typed);
      const changed = await this.mailboxes.change(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(changed.id), 'Saved, for mails from now on.');
    });
  }

  @Post('test')
  test(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id, 'test') }, async () => {
      await this.tests.start(actingOf(me), id);
      return redirectWithNotice(mailboxPath(id), 'A mail is on its way.');
    });
  }

  @Post('delete')
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
