import { Transactions } from '#libs/database';
import { type Mailbox, NotFound } from '#libs/entities';
import { mailRoute } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { MailboxesRepository } from '../mailboxes.repository.js';
import { readTest } from './mailbox-test.statements.js';
import { isKept, startTest } from './mailbox-test-start.js';
import { type MailboxTestProgress, progressOf } from './mailbox-test-steps.js';

/** Mails that go from a mailbox to itself, to show that mail goes out and comes in. */
@Injectable()
export class MailboxTestsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly mailboxes: MailboxesRepository,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(context: RequestContext, name: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const mailbox = await this.mailboxes.lock(tx, name);
      if (!mailbox) throw new NotFound('mailbox');
      await startTest(tx, mailbox, mailRoute(this.settings), now);
    });
  }

  /** A trial keeps what goes out from it, so there is nothing to test. */
  isKept(mailbox: Mailbox): boolean {
    return isKept(mailbox, mailRoute(this.settings));
  }

  /** Null if there was none lately. */
  async find(context: RequestContext, mailboxId: string): Promise<MailboxTestProgress | null> {
    requireManager(context);
    const test = await readTest(this.transactions.account(context), mailboxId);
    return test && progressOf(test, this.transactions.now());
  }
}
