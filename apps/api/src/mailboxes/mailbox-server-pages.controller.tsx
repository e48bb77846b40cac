import type { MailboxSmtp } from '#libs/entities';
import { ImapAccountsService, MailboxChecksService, MailboxSmtpService, MailboxesService } from '#libs/mailboxes';
import { Body, Injectable, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { submitForm, validateDto } from '../layers/shell/form-submission.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { FormFields } from '../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { type MailboxSectionName, mailboxPath } from './mailbox-section.js';
import { MailboxPage } from './mailbox.page.js';
import { ImapDto, ImportDto, SmtpDto } from './mailboxes.dto.js';

interface SectionForm<T> {
  readonly section: MailboxSectionName;
  readonly typed?: Readonly<Record<string, string>>;
  readonly notice: string | ((changed: T) => string);
}

@Injectable()
export class MailboxFormsService {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly imap: ImapAccountsService,
    private readonly smtp: MailboxSmtpService,
    private readonly tests: MailboxChecksService,
  ) {}

  submit<T>(me: Me, id: string, form: SectionForm<T>, work: () => Promise<T>): Promise<PageResponse> {
    const { section, typed = {}, notice } = form;
    return submitForm({ again: () => this.page(me, id, section), typed }, async () => {
      const changed = await work();
      return redirectWithNotice(mailboxPath(id), typeof notice === 'string' ? notice : notice(changed));
    });
  }

  async page(me: Me, name: string, refused?: MailboxSectionName): Promise<PageContent> {
    const context = actingOf(me);
    const mailbox = await this.mailboxes.read(context, name);
    const { id } = mailbox;
    const [imap, older, smtp, test] = await Promise.all([
      this.imap.find(context, id),
      this.imap.findImport(context, id),
      this.smtp.find(context, id),
      this.tests.find(context, id),
    ]);
    const view = { mailbox, imap, older, smtp, test, isCaught: this.tests.isKept(mailbox) };
    return { view: <MailboxPage {...view} refused={refused} /> };
  }
}

export const IdParam = () => Param('id', new IdentifierPipe('mailbox'));

@ConsolePages('settings/mailboxes/:id', 'managers')
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
    const form = { section: 'imap', notice: 'Paused.' } as const;
    return this.forms.submit(me, id, form, () => this.imap.setPaused(actingOf(me), id, true));
  }

  @Post('imap/resume')
  resume(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const form = { section: 'imap', notice: 'Resumed.' } as const;
    return this.forms.submit(me, id, form, () => this.imap.setPaused(actingOf(me), id, false));
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
    const notice = 'This mailbox now sends through the default server.';
    return this.forms.submit(me, id, { section: 'smtp', notice }, () => this.smtp.remove(actingOf(me), id));
  }
}

const sendsThrough = ({ host }: MailboxSmtp): string => `This mailbox now sends through ${host}.`;

/** Browsers send empty fields as empty text. */
const filledFields = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
