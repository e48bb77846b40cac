import {
  CustomerMailsService,
  ImapAccountsService,
  MailboxSmtpService,
  type MailboxTestProgress,
  MailboxTestsService,
  MailboxesService,
} from '#libs/desk';
import type { ImapAccount, Mailbox, MailboxSmtp } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';

/** What the page of a mailbox shows. Each section takes its own part of it. */
export interface MailboxView {
  readonly mailbox: Mailbox;
  readonly imap: ImapAccount | null;
  /** Null if it sends through the server of the installation. */
  readonly smtp: MailboxSmtp | null;
  /** The latest one. */
  readonly test: MailboxTestProgress | null;
  /** A trial keeps what goes out from it. */
  readonly isCaught: boolean;
}

@Injectable()
export class MailboxReader {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly imap: ImapAccountsService,
    private readonly smtp: MailboxSmtpService,
    private readonly tests: MailboxTestsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async read(me: Me, id: string): Promise<MailboxView> {
    const mailbox = await this.mailboxes.read(actingOf(me), id);
    const [imap, smtp, test] = await Promise.all([
      this.imap.find(actingOf(me), mailbox.id),
      this.smtp.find(actingOf(me), mailbox.id),
      this.tests.find(actingOf(me), mailbox.id),
    ]);
    return { mailbox, imap, smtp, test, isCaught: this.mails.route === 'caught' && !mailbox.hasSmtp };
  }
}
