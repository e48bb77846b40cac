import { Clock, Database } from '#libs/database';
import type { ImapImport } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { insertArrival } from '../inbound/arrival.statements.js';
import { fetchedArrival } from './fetched-arrival.js';
import type { BroughtMail } from './imap-mails.service.js';
import type { ImapRelease, LeasedImap } from './imap-leases.service.js';
import { findImport } from './imap-import.statements.js';
import {
  type CountedFolder,
  type HeldImport,
  beginImport,
  countWaiting,
  endImport,
  failImport,
  moveImport,
} from './older-mail.statements.js';

/** Accepts the mail that a server had before its mailbox was connected. */
@Injectable()
export class OlderMailsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Null if nobody wants one, or it is done. */
  async find({ accountId, id }: LeasedImap): Promise<ImapImport | null> {
    const found = await findImport(this.database.account(accountId), id);
    return found?.endedAt ? null : found;
  }

  begin(taken: HeldImport, counted: CountedFolder): Promise<void> {
    return beginImport(this.account(taken), taken, counted);
  }

  /** One transaction: the mails are arrivals, and the place up to which the folder was read has moved. */
  async accept(
    taken: HeldImport,
    { mails, upTo, passed }: { readonly mails: readonly BroughtMail[]; readonly upTo: number; readonly passed: number },
  ): Promise<void> {
    const now = this.clock.now();
    await this.account(taken).transaction(async (tx) => {
      await moveImport(tx, taken, upTo, passed);
      const arrivals = mails.flatMap(({ kept, receivedAt }) =>
        kept ? [fetchedArrival(taken.held, kept, { now, receivedAt: receivedAt ?? now })] : [],
      );
      await Promise.all(arrivals.map((arrival) => insertArrival(tx, arrival)));
    });
  }

  end(taken: HeldImport): Promise<void> {
    return endImport(this.account(taken), taken);
  }

  fail(taken: HeldImport, release: ImapRelease): Promise<void> {
    return failImport(this.account(taken), taken, release);
  }

  waiting({ held }: HeldImport): Promise<number> {
    return countWaiting(this.database.account(held.accountId), held.id);
  }

  private account({ held }: HeldImport) {
    return this.database.account(held.accountId);
  }
}
