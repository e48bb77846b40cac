import type { FetchedMail, ImapMailsService, LeasedImap } from '#libs/mailboxes';
import { ConnectionFault, StuckAtMail } from './connection-fault.js';
import type { ImapFolder } from './imap-folder.js';
import { type SkippedMails, StoredBatch } from './stored-batch.js';

/** Mails are fetched one by one after this many connections ended at one mail. */
const ONE_BY_ONE_AFTER = 2;
/** After about a quarter of an hour a placeholder replaces the mail. */
const GIVEN_UP_AFTER = 10;

type Stuck = Pick<LeasedImap, 'stuckUid' | 'stuckTries'>;

/** Passes over mails that end a connection. */
export class MailFetcher {
  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
  ) {}

  batches(uids: readonly number[], { stuckTries }: Stuck, atOnce: number): Generator<readonly number[]> {
    return batches(uids, stuckTries >= ONE_BY_ONE_AFTER ? 1 : atOnce);
  }

  /** Stores all of the mails, or none. */
  async fetch(uids: readonly number[], stuck: Stuck, skipped: SkippedMails): Promise<FetchedMail[]> {
    const batch = new StoredBatch(this.mails, this.folder, this.held, skipped);
    try {
      if (isGivenUp(uids, stuck)) await batch.addPlaceholder(uids[0]!);
      else await this.fetchInto(batch, uids);
      return await batch.all();
    } catch (error) {
      await batch.discard();
      throw error;
    }
  }

  /** Discards the stored mails if `work` fails. */
  async accept(mails: readonly FetchedMail[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.mails.discard(this.held, mails);
      throw error;
    }
  }

  private async fetchInto(batch: StoredBatch, uids: readonly number[]): Promise<void> {
    const missing = new Set(uids);
    try {
      for await (const mail of this.folder.mails(uids)) if (missing.delete(mail.uid)) batch.add(mail);
      // Mails may be deleted during the fetch.
      const [there] = await this.folder.stillThere([...missing]);
      if (there !== undefined) throw new ConnectionFault('The server did not send a mail that it has.');
    } catch (error) {
      throw new StuckAtMail(uids[0]!, error);
    }
    await batch.addLong();
  }
}

const isGivenUp = (uids: readonly number[], { stuckUid, stuckTries }: Stuck): boolean =>
  uids.length === 1 && stuckUid !== null && Number(stuckUid) === uids[0] && stuckTries >= GIVEN_UP_AFTER;

export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
