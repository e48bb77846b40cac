import type { BroughtMail, ImapMailsService, LeasedImap } from '#libs/mailboxes';
import { batches } from './batches.js';
import { ConnectionFault } from './connection-fault.js';
import type { ImapFolder } from './imap-folder.js';
import { type KnownMails, StuckAtMail, TakenMails } from './taken-mails.js';

/** From so many connections on that ended at the same mail, mails are fetched one by one. */
const ONE_BY_ONE_AFTER = 2;
/** After so many, about a quarter of an hour, a mail is given up, and a ticket says so. */
const GIVEN_UP_AFTER = 10;

/** The mail at which the last connections ended, and how many of them in a row. */
type Stuck = Pick<LeasedImap, 'stuckUid' | 'stuckTries'>;

/** Fetches mails of a folder, and gets past those that end a connection. */
export class FetchedMails {
  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
  ) {}

  batches(uids: readonly number[], { stuckTries }: Stuck, atOnce: number): Generator<readonly number[]> {
    return batches(uids, stuckTries >= ONE_BY_ONE_AFTER ? 1 : atOnce);
  }

  /** All of them, with their bytes kept, or none. */
  async take(uids: readonly number[], stuck: Stuck, known: KnownMails): Promise<BroughtMail[]> {
    const taken = new TakenMails(this.mails, this.folder, this.held, known);
    try {
      if (isGivenUp(uids, stuck)) await taken.takeStandIn(uids[0]!);
      else await this.fetch(uids, taken);
    } catch (error) {
      await taken.letGo();
      throw error;
    }
    return taken.all();
  }

  private async fetch(uids: readonly number[], taken: TakenMails): Promise<void> {
    const missing = new Set(uids);
    try {
      for await (const mail of this.folder.mails(uids)) if (missing.delete(mail.uid)) taken.take(mail);
      // What was deleted meanwhile is not missed.
      const [there] = await this.folder.stillThere([...missing]);
      if (there !== undefined) throw new ConnectionFault('The server did not send a mail that it has.');
    } catch (error) {
      throw new StuckAtMail(uids[0]!, error);
    }
    await taken.takeLong();
  }
}

const isGivenUp = (uids: readonly number[], { stuckUid, stuckTries }: Stuck): boolean =>
  uids.length === 1 && stuckUid !== null && Number(stuckUid) === uids[0] && stuckTries >= GIVEN_UP_AFTER;
