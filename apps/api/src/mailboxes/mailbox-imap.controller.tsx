import { ImapAccountsService, ImapImportsService } from '#libs/mailboxes';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../edge/identifier.pipe.js';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { ImapDto } from './imap.dto.js';
import { ImportDto } from './import.dto.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, submitForm, validateDto } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { mailboxPath } from './mailbox-paths.js';
import { MailboxPage } from './mailbox.page.js';
import { MailboxReader } from './mailbox.reader.js';

const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

@Controller('settings/mailboxes/:id/imap')
@ConsolePages({ audience: 'managers' })
export class MailboxImapController {
  constructor(
    private readonly accounts: ImapAccountsService,
    private readonly imports: ImapImportsService,
    private readonly reader: MailboxReader,
  ) {}

  @Post()
  save(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('host', 'port', 'security', 'username', 'folder');
    return submitForm({ again: () => this.page(me, id), typed }, async () => {
      const dto = await validateDto(ImapDto, body);
      await this.accounts.save(actingOf(me), id, dto.toInput());
      return redirectWithNotice(mailboxPath(id), 'Saved. A worker connects in a moment.');
    });
  }

  @Post('pause')
  pause(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.act(me, id, 'Paused.', () => this.accounts.pause(actingOf(me), id));
  }

  @Post('resume')
  resume(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.act(me, id, 'Resumed.', () => this.accounts.resume(actingOf(me), id));
  }

  @Post('rescan')
  rescan(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const notice = 'What the server has of the last 14 days is being compared with what arrived.';
    return this.act(me, id, notice, () => this.accounts.rescan(actingOf(me), id));
  }

  @Post('import')
  import(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    return this.act(me, id, 'Older mail is being brought in.', async () => {
      const { since } = new FormFields(body).pick('since');
      const dto = await validateDto(ImportDto, since ? { since } : {});
      await this.imports.start(actingOf(me), id, dto.toInput());
    });
  }

  @Post('import/stop')
  stopImport(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.act(me, id, 'Stopped. What was brought in stays.', () => this.imports.stop(actingOf(me), id));
  }

  @Post('delete')
  delete(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.act(me, id, 'Removed. No more mail is fetched.', () => this.accounts.remove(actingOf(me), id));
  }

  private act(me: Me, id: string, notice: string, work: () => Promise<unknown>): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id) }, async () => {
      await work();
      return redirectWithNotice(mailboxPath(id), notice);
    });
  }

  private async page(me: Me, id: string): Promise<PageContent> {
    return { view: <MailboxPage {...await this.reader.read(me, id)} refused="imap" /> };
  }
}
