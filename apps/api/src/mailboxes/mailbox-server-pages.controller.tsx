import type { MailboxSmtp } from '#libs/entities';
import { ImapAccountsService, MailboxSmtpService } from '#libs/mailboxes';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../edge/path-parameter.pipes.js';
import { FormFields } from '../ui/form-fields.js';
import type { PageResponse } from '../ui/page-response.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, validateDto } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { MailboxFormsService } from './mailbox-forms.service.js';
import { ImapDto, ImportDto, SmtpDto } from './mailboxes.dto.js';

const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

@Controller('settings/mailboxes/:id')
@ConsolePages({ audience: 'managers' })
export class MailboxServerPagesController {
  constructor(
    private readonly imap: ImapAccountsService,
    private readonly smtp: MailboxSmtpService,
    private readonly forms: MailboxFormsService,
  ) {}

  @Post('imap')
  saveImap(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('host', 'port', 'security', 'username', 'folder');
    const form = { section: 'imap', typed, notice: 'Saved. A worker will connect shortly.' } as const;
    return this.forms.submit(me, id, form, async () => {
      const dto = await validateDto(ImapDto, body);
      return this.imap.save(actingOf(me), id, dto.toInput());
    });
  }

  @Post('imap/pause')
  pause(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.forms.submit(me, id, { section: 'imap', notice: 'Paused.' }, () => this.imap.pause(actingOf(me), id));
  }

  @Post('imap/resume')
  resume(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return this.forms.submit(me, id, { section: 'imap', notice: 'Resumed.' }, () => this.imap.resume(actingOf(me), id));
  }

  @Post('imap/rescan')
  rescan(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const notice = 'Checking the server for missed mail of the last 14 days.';
    return this.forms.submit(me, id, { section: 'imap', notice }, () => this.imap.rescan(actingOf(me), id));
  }

  @Post('imap/import')
  import(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    return this.forms.submit(me, id, { section: 'imap', notice: 'Import of older mail started.' }, async () => {
      const dto = await validateDto(ImportDto, filledFields(new FormFields(body).pick('since')));
      return this.imap.startImport(actingOf(me), id, dto.toInput());
    });
  }

  @Post('imap/import/stop')
  stopImport(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const notice = 'Import stopped. Imported mail is kept.';
    return this.forms.submit(me, id, { section: 'imap', notice }, () => this.imap.stopImport(actingOf(me), id));
  }

  @Post('imap/delete')
  removeImap(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const notice = 'Removed. Mail is no longer fetched.';
    return this.forms.submit(me, id, { section: 'imap', notice }, () => this.imap.remove(actingOf(me), id));
  }

  @Post('smtp')
  saveSmtp(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('host', 'port', 'security', 'username');
    return this.forms.submit(me, id, { section: 'smtp', typed, notice: sendsThrough }, async () => {
      const dto = await validateDto(SmtpDto, filledFields(body));
      return this.smtp.set(actingOf(me), id, dto.toInput());
    });
  }

  @Post('smtp/delete')
  removeSmtp(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const notice = 'This mailbox now sends through the server of this installation.';
    return this.forms.submit(me, id, { section: 'smtp', notice }, () => this.smtp.remove(actingOf(me), id));
  }
}

const sendsThrough = ({ host }: MailboxSmtp): string => `This mailbox now sends through ${host}.`;

/** Browsers send empty fields as empty text. */
const filledFields = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
