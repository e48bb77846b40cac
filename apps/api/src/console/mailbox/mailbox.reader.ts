import { MailboxesService } from '#libs/desk';
import type { Mailbox } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';

/** What the page of a mailbox shows. Each section takes its own part of it. */
export interface MailboxView {
  readonly mailbox: Mailbox;
}

@Injectable()
export class MailboxReader {
  constructor(private readonly mailboxes: MailboxesService) {}

  async read(me: Me, id: string): Promise<MailboxView> {
    const mailbox = await this.mailboxes.read(actingOf(me), id);
    return { mailbox };
  }
}
