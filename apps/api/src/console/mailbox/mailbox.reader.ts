import { ImapAccountsService, MailboxSmtpService, MailboxesService } from '#libs/desk';
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
}

@Injectable()
export class MailboxReader {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly imap: ImapAccountsService,
    private readonly smtp: MailboxSmtpService,
  ) {}

  async read(me: Me, id: string): Promise<MailboxView> {
    const mailbox = await this.mailboxes.read(actingOf(me), id);
    const [imap, smtp] = await Promise.all([
      this.imap.find(actingOf(me), mailbox.id),
      this.smtp.find(actingOf(me), mailbox.id),
    ]);
    return { mailbox, imap, smtp };
  }
}
