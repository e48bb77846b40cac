import { ImapAccountsService, MailboxChecksService, MailboxSmtpService, MailboxesService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { actingOf, submitForm } from '../shell/form-submission.js';
import type { Me } from '../sign-in/session.guard.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { type MailboxSectionName, mailboxPath } from './mailbox-section.js';
import { MailboxPage } from './mailbox.page.js';

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

  async page(me: Me, id: string, refused?: MailboxSectionName): Promise<PageContent> {
    const context = actingOf(me);
    const mailbox = await this.mailboxes.read(context, id);
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
