import { ImapAccountsService, ImapImportsService, MailboxSmtpService } from '#libs/mailboxes';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, submitForm, validateDto } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { mailboxPath } from './mailbox-section.js';
import { MailboxPage } from './mailbox.page.js';
import { MailboxReader } from './mailbox.reader.js';
import { ImapDto, ImportDto, SmtpDto } from './mailboxes.dto.js';

const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

@Controller('settings/mailboxes/:id')
@ConsolePages({ audience: 'managers' })
export class MailboxServerPagesController {
  constructor(
    private readonly imap: ImapAccountsService,
    private readonly imports: ImapImportsService,
    private readonly smtp: MailboxSmtpService,
    private readonly reader: MailboxReader,
  ) {}

  @Post('imap')
  saveImap(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('host', 'port', 'security', 'username', 'folder');
    return submitForm({ again: () => this.page(me, id, 'imap'), typed }, async () => {
      const dto = await validateDto(ImapDto, body);
      await this.imap.save(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(id), 'Saved. A worker will connect shortly.');
    });
  }

  @Post('imap/pause')
  pause(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.changeImap(me, id, 'Paused.', () => this.imap.pause(actingOf(me), id));
  }

  @Post('imap/resume')
  resume(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.changeImap(me, id, 'Resumed.', () => this.imap.resume(actingOf(me), id));
  }

  @Post('imap/rescan')
  rescan(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const notice = 'Checking the server for missed mail of the last 14 days.';
    return this.changeImap(me, id, notice, () => this.imap.rescan(actingOf(me), id));
  }

  @Post('imap/import')
  import(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    return this.changeImap(me, id, 'Import of older mail started.', async () => {
      const { since } = new FormFields(body).pick('since');
      const dto = await validateDto(ImportDto, since ? { since } : {});
      await this.imports.start(actingOf(me), id, dto.toInput());
    });
  }

  @Post('imap/import/stop')
  stopImport(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const notice = 'Import stopped. Imported mail is kept.';
    return this.changeImap(me, id, notice, () => this.imports.stop(actingOf(me), id));
  }

  @Post('imap/delete')
  removeImap(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.changeImap(me, id, 'Removed. Mail is no longer fetched.', () => this.imap.remove(actingOf(me), id));
  }

  @Post('smtp')
  saveSmtp(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('host', 'port', 'security', 'username');
    return submitForm({ again: () => this.page(me, id, 'smtp'), typed }, async () => {
      const dto = await validateDto(SmtpDto, filledFields(body));
      const { host } = await this.smtp.set(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(id), `This mailbox now sends through ${host}.`);
    });
  }

  @Post('smtp/delete')
  removeSmtp(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id, 'smtp') }, async () => {
      await this.smtp.remove(actingOf(me), id);
      return redirectWithNotice(mailboxPath(id), 'This mailbox now sends through the server of this installation.');
    });
  }

  private changeImap(me: Me, id: string, notice: string, change: () => Promise<unknown>): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id, 'imap') }, async () => {
      await change();
      return redirectWithNotice(mailboxPath(id), notice);
    });
  }

  private async page(me: Me, id: string, refused: 'imap' | 'smtp'): Promise<PageContent> {
    return { view: <MailboxPage {...await this.reader.read(me, id)} refused={refused} /> };
  }
}

/** Browsers send empty fields as empty text. */
const filledFields = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
