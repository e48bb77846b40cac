import {
  type BroughtMail,
  type ImapMailsService,
  type LeasedImap,
  type NotedMail,
  looksLikeTest,
} from '#libs/mailboxes';
import { batches } from './batches.js';
import { FetchedMails } from './fetched-mails.js';
import type { ImapFolder } from './imap-folder.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What the server has of so many days is compared with what arrived. */
const COMPARED_DAYS = 14;
/** Servers tell days, each in its own time zone. */
const DAY_ROUNDING_DAYS = 2;

/** Mails in memory at once, with no more than their beginnings. */
const AT_ONCE = 20;
const UIDS_AT_ONCE = 1_000;

/** Brings in what a folder has. */
export class MailboxReading {
  private readonly fetched: FetchedMails;
  private generation: number;
  private lastUid: number;

  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
  ) {
    this.fetched = new FetchedMails(mails, folder, held);
    this.generation = held.generation;
    this.lastUid = Number(held.lastUid);
  }

  /**
   * The first time, everything that is there is older. A server that numbers its mails anew, or goes back in its numbers, has
   * them all compared with what arrived. Since when, if there is something to compare.
   */
  async open(): Promise<Date | null> {
    const { uidValidity, uidNext } = await this.folder.open();
    const { held } = this;
    if (held.uidValidity === uidValidity && uidNext > this.lastUid) return null;
    const isFirst = held.uidValidity === null;
    const compareSince = isFirst ? null : this.sinceHeard();
    const generation = this.generation + (isFirst ? 0 : 1);
    const lastUid = uidNext - 1;
    await this.mails.renumber(
      held,
      { generation, uidValidity, lastUid, compareSince },
      isFirst ? await this.older(uidNext) : [],
    );
    this.generation = generation;
    this.lastUid = lastUid;
    held.uidValidity = uidValidity;
    return compareSince;
  }

  /** What came since. A server that numbered its mails anew may still be putting them back. Says how many. */
  async catchUp(): Promise<number> {
    return this.bring(await this.folder.uidsAfter(this.lastUid), this.generation > 0);
  }

  /** What is there and did not arrive comes now. Says how many mails that were. */
  async compare(since: Date | null): Promise<number> {
    const there = await this.folder.uidsSince(since ?? daysAgo(COMPARED_DAYS));
    let missed = 0;
    for (const uids of batches(
      there.filter((uid) => uid <= this.lastUid),
      UIDS_AT_ONCE,
    )) {
      const known = await this.mails.knownUids(this.held, this.generation, uids);
      const unknown = uids.filter((uid) => !known.has(uid));
      missed += await this.bring(unknown, true);
    }
    await this.mails.endComparison(this.held);
    return missed;
  }

  /** Nothing is missed that came while the server was not heard of. */
  private sinceHeard(): Date {
    const usual = daysAgo(COMPARED_DAYS);
    const heard = this.held.heardAt && new Date(this.held.heardAt.getTime() - DAY_ROUNDING_DAYS * DAY_MS);
    return heard && heard < usual ? heard : usual;
  }

  private async older(before: number): Promise<NotedMail[]> {
    const uids = await this.folder.uidsSince(daysAgo(COMPARED_DAYS + DAY_ROUNDING_DAYS));
    const known: NotedMail[] = [];
    for (const some of batches(
      uids.filter((uid) => uid < before),
      UIDS_AT_ONCE,
    ))
      for await (const { uid, said, subject } of this.folder.descriptions(some))
        if (!looksLikeTest(subject)) known.push({ uid, hash: said });
    return known;
  }

  private async bring(uids: readonly number[], mayBeKnown: boolean): Promise<number> {
    let brought = 0;
    for (const some of this.fetched.batches(uids, this.held, AT_ONCE)) {
      const mails = await this.fetched.take(some, this.held, mayBeKnown ? 'described' : 'none');
      await this.accept(mails, Math.max(this.lastUid, some.at(-1)!));
      brought += mails.filter(({ kept }) => kept !== null).length;
    }
    return brought;
  }

  private async accept(mails: readonly BroughtMail[], upTo: number): Promise<void> {
    try {
      await this.mails.accept(this.held, this.generation, { mails, upTo });
      this.lastUid = upTo;
      // Each connection may end after a while, and yet all of them together get on.
      this.held.tries = 0;
    } catch (error) {
      await this.mails.discard(this.held, mails);
      throw error;
    }
  }
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
