import type { ImapAccount, ImapImport, Mailbox, MailboxSmtp } from '#libs/entities';
import {
  ImapAccountsService,
  ImapImportsService,
  MailboxSmtpService,
  type MailboxCheckProgress,
  MailboxChecksService,
  MailboxesService,
} from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import type { Me } from '../sign-in/session.guard.js';
import { actingOf } from '../shell/form-submission.js';

export interface MailboxView {
  readonly mailbox: Mailbox;
  readonly imap: ImapAccount | null;
  readonly older: ImapImport | null;
  /** Null if it sends through the server of the installation. */
  readonly smtp: MailboxSmtp | null;
  readonly test: MailboxCheckProgress | null;
  /** A trial keeps its outgoing mail instead of sending it. */
  readonly isCaught: boolean;
}

@Injectable()
export class MailboxReader {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly imap: ImapAccountsService,
    private readonly imports: ImapImportsService,
    private readonly smtp: MailboxSmtpService,
    private readonly tests: MailboxChecksService,
  ) {}

  async read(me: Me, id: string): Promise<MailboxView> {
    const mailbox = await this.mailboxes.read(actingOf(me), id);
    const [imap, older, smtp, test] = await Promise.all([
      this.imap.find(actingOf(me), mailbox.id),
      this.imports.find(actingOf(me), mailbox.id),
      this.smtp.find(actingOf(me), mailbox.id),
      this.tests.find(actingOf(me), mailbox.id),
    ]);
    return { mailbox, imap, older, smtp, test, isCaught: this.tests.isKept(mailbox) };
  }
}
