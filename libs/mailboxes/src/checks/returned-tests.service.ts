import { Database, Transactions } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { type ClaimedArrival, endArrival } from '../inbound/arrival.statements.js';
import { findTestMail, noteTestArrived } from './mailbox-test.statements.js';
import type { IdentifiedMail } from '../inbound/read-mail.js';
import { testTokenIn } from './test-mail.js';

/** Mails by which a mailbox is tested, when they come back. */
@Injectable()
export class ReturnedTestsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
  ) {}

  /** The id under which it went out. Null for any other mail, and for one that only looks like a test of ours. */
  async find({ accountId }: ClaimedArrival, mail: IdentifiedMail): Promise<string | null> {
    const token = testTokenIn(mail);
    return token === null ? null : findTestMail(this.database.account(accountId), token);
  }

  /** It is no message, and nobody hears of it but who tests. */
  take(arrival: ClaimedArrival, { mailId, contentHash, from }: IdentifiedMail, sentAs: string): Promise<void> {
    const end = { state: 'understood', reason: 'mailbox_test', mailId, contentHash, sender: from.address } as const;
    return this.transactions.run(arrival, async (tx, now) => {
      noteTestArrived(tx, sentAs, arrival.id, now);
      await endArrival(tx, arrival.id, end, now);
    });
  }
}
