import { type AccountTx, Transactions } from '#libs/database';
import { type ImapImport, type Mailbox, NotFound } from '#libs/entities';
import { EventsService } from '#libs/events';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { MailboxesRepository } from '../mailboxes.repository.js';
import { findImport, startImport, stopImport } from './imap-import.statements.js';

/** Imports mail from before a mailbox was connected. Sends no events. */
@Injectable()
export class ImapImportsService {
  constructor(
    private readonly mailboxes: MailboxesRepository,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {}

  async read(context: RequestContext, name: string): Promise<ImapImport> {
    const found = await this.find(context, name);
    if (!found) throw new NotFound('import');
    return found;
  }

  async find(context: RequestContext, name: string): Promise<ImapImport | null> {
    requireManager(context);
    const account = this.transactions.account(context);
    const mailbox = await this.mailboxes.find(account, name);
    if (!mailbox) throw new NotFound('mailbox');
    return findImport(account, mailbox.id);
  }

  start(context: RequestContext, name: string, since: Date | null): Promise<ImapImport> {
    return this.run(context, name, 'mailbox_import_started', (tx, { id }, now) => startImport(tx, id, { since, now }));
  }

  stop(context: RequestContext, name: string): Promise<void> {
    return this.run(context, name, 'mailbox_import_stopped', (tx, { id }, now) => stopImport(tx, id, now));
  }

  private run<T>(
    context: RequestContext,
    name: string,
    activity: string,
    work: (tx: AccountTx, mailbox: Mailbox, now: Date) => Promise<T>,
  ): Promise<T> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const mailbox = await this.mailboxes.lock(tx, name);
      if (!mailbox) throw new NotFound('mailbox');
      const done = await work(tx, mailbox, now);
      await this.events.recordActivity(tx, context, activity, { ticketId: null, subject: mailbox.name, detail: {} });
      return done;
    });
  }
}
