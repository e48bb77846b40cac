import { type ImapMailsService, type LeasedImap, type SeenMail, looksLikeCheck } from '#libs/mailboxes';
import type { ImapFolder } from './imap-folder.js';
import { MailFetcher, batches } from './mail-fetcher.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const COMPARED_DAYS = 14;
/** Servers search by day, each in its time zone. */
const DAY_ROUNDING_DAYS = 2;

/** Bounds the mails in memory. */
const AT_ONCE = 20;
const UIDS_AT_ONCE = 1_000;

export class FolderReader {
  private readonly fetcher: MailFetcher;
  private generation: number;
  private lastUid: number;

  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
  ) {
    this.fetcher = new MailFetcher(mails, folder, held);
    this.generation = held.generation;
    this.lastUid = Number(held.lastUid);
  }

  /**
   * At first, all mails are older than the mailbox and are skipped. After a renumbering, all are compared with those
   * received. Returns since when to compare.
   */
  async open(): Promise<Date | null> {
    const { uidValidity, uidNext } = await this.folder.open();
    const { held } = this;
    if (held.uidValidity === uidValidity && uidNext > this.lastUid) return null;
    const isFirst = held.uidValidity === null;
    const compareSince = isFirst ? null : this.sinceHeard();
    const generation = this.generation + (isFirst ? 0 : 1);
    const lastUid = uidNext - 1;
    const known = isFirst ? await this.older(uidNext) : [];
    await this.mails.renumber(held, { generation, uidValidity, lastUid, compareSince }, known);
    this.generation = generation;
    this.lastUid = lastUid;
    held.uidValidity = uidValidity;
    return compareSince;
  }

  /** After a renumbering, the server may still be restoring known mails. */
  async catchUp(): Promise<void> {
    await this.fetchAll(await this.folder.uidsAfter(this.lastUid), this.generation > 0);
  }

  async compare(since: Date | null): Promise<void> {
    const there = await this.folder.uidsSince(since ?? daysAgo(COMPARED_DAYS));
    const passed = there.filter((uid) => uid <= this.lastUid);
    for (const uids of batches(passed, UIDS_AT_ONCE)) {
      const known = await this.mails.knownUids(this.held, this.generation, uids);
      await this.fetchAll(
        uids.filter((uid) => !known.has(uid)),
        true,
      );
    }
    await this.mails.endComparison(this.held);
  }

  /** Reaches back to the last contact with the server. */
  private sinceHeard(): Date {
    const usual = daysAgo(COMPARED_DAYS);
    const heard = this.held.heardAt && new Date(this.held.heardAt.getTime() - DAY_ROUNDING_DAYS * DAY_MS);
    return heard && heard < usual ? heard : usual;
  }

  private async older(before: number): Promise<SeenMail[]> {
    const uids = await this.folder.uidsSince(daysAgo(COMPARED_DAYS + DAY_ROUNDING_DAYS));
    const older = uids.filter((uid) => uid < before);
    const known: SeenMail[] = [];
    for (const some of batches(older, UIDS_AT_ONCE))
      for await (const { uid, description, subject } of this.folder.descriptions(some))
        if (!looksLikeCheck(subject)) known.push({ uid, hash: description });
    return known;
  }

  private async fetchAll(uids: readonly number[], mayBeKnown: boolean): Promise<void> {
    for (const some of this.fetcher.batches(uids, this.held, AT_ONCE)) {
      const mails = await this.fetcher.fetch(some, this.held, mayBeKnown ? 'described' : 'none');
      const upTo = Math.max(this.lastUid, some.at(-1)!);
      await this.fetcher.accept(mails, () => this.mails.accept(this.held, this.generation, { mails, upTo }));
      this.lastUid = upTo;
      // Progress resets the back-off, even if each connection ends soon.
      this.held.tries = 0;
    }
  }
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
