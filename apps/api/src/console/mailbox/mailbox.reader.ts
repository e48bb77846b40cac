import { ImapAccountsService, MailboxesService } from '#libs/desk';
import type { ImapAccount, Mailbox } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';

/** What the page of a mailbox shows. Each section takes its own part of it. */
export interface MailboxView {
  readonly mailbox: Mailbox;
  readonly imap: ImapAccount | null;
}

@Injectable()
export class MailboxReader {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly imap: ImapAccountsService,
  ) {}

  async read(me: Me, id: string): Promise<MailboxView> {
    const mailbox = await this.mailboxes.read(actingOf(me), id);
    return { mailbox, imap: await this.imap.find(actingOf(me), mailbox.id) };
  }
}
