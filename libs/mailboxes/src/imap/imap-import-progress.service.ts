import { Clock, Database } from '#libs/database';
import type { ImapImport } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { insertArrival } from '../inbound/arrival.statements.js';
import type { ImapRelease, LeasedImap } from './imap-lease.statements.js';
import { type FetchedMail, fetchedArrival } from './imap-mails.service.js';
import {
  type CountedFolder,
  type HeldImport,
  beginImport,
  countWaiting,
  endImport,
  failImport,
  findImport,
  moveImport,
} from './imap-import.statements.js';

/** Records the progress of imports, for the worker that has the lease. */
@Injectable()
export class ImapImportProgressService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find({ accountId, id }: LeasedImap): Promise<ImapImport | null> {
    const found = await findImport(this.database.account(accountId), id);
    return found?.endedAt ? null : found;
  }

  begin(running: HeldImport, counted: CountedFolder): Promise<void> {
    return beginImport(this.account(running), running, counted);
  }

  async accept(
    running: HeldImport,
    { mails, upTo, passed }: { readonly mails: readonly FetchedMail[]; readonly upTo: number; readonly passed: number },
  ): Promise<void> {
    const now = this.clock.now();
    await this.account(running).transaction(async (tx) => {
      await moveImport(tx, running, upTo, passed);
      const arrivals = mails.flatMap(({ stored, receivedAt }) =>
        stored ? [fetchedArrival(running.held, stored, { now, receivedAt: receivedAt ?? now })] : [],
      );
      await Promise.all(arrivals.map((arrival) => insertArrival(tx, arrival)));
    });
  }

  end(running: HeldImport): Promise<void> {
    return endImport(this.account(running), running);
  }

  fail(running: HeldImport, release: ImapRelease): Promise<void> {
    return failImport(this.account(running), running, release);
  }

  countWaiting({ held }: HeldImport): Promise<number> {
    return countWaiting(this.database.account(held.accountId), held.id);
  }

  private account({ held }: HeldImport) {
    return this.database.account(held.accountId);
  }
}
