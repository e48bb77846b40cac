import {
  type FetchedMail,
  type ImapMailsService,
  type LeasedImap,
  type SeenMail,
  looksLikeCheck,
} from '#libs/mailboxes';
import { ConnectionFault, StuckAtMail } from './connection-fault.js';
import type { ImapFolder } from './imap-folder.js';
import { type SkippedMails, StoredBatch } from './stored-batch.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const COMPARED_DAYS = 14;
/** Servers search by day, each in its time zone. */
const DAY_ROUNDING_DAYS = 2;

/** Bounds the emails in memory. */
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
   * At first, all emails are older than the mailbox and are skipped. After a renumbering, all are compared with those
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

  /** After a renumbering, the server may still be restoring known emails. */
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
    const responded =
      this.held.lastResponseAt && new Date(this.held.lastResponseAt.getTime() - DAY_ROUNDING_DAYS * DAY_MS);
    return responded && responded < usual ? responded : usual;
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

/** Emails are fetched one by one after this many connections ended at the same one. */
const ONE_BY_ONE_AFTER = 2;
/** After about a quarter of an hour a placeholder replaces the mail. */
const GIVEN_UP_AFTER = 10;

type Stuck = Pick<LeasedImap, 'stuckUid' | 'stuckTries'>;

/** Passes over emails that end a connection. */
export class MailFetcher {
  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
  ) {}

  batches(uids: readonly number[], { stuckTries }: Stuck, atOnce: number): Generator<readonly number[]> {
    return batches(uids, stuckTries >= ONE_BY_ONE_AFTER ? 1 : atOnce);
  }

  /** Stores all of the emails, or none. */
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

  /** Discards the stored emails if `work` fails. */
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
      // Emails may be deleted during the fetch.
      const [there] = await this.folder.stillThere([...missing]);
      if (there !== undefined) throw new ConnectionFault('The server did not send an email that it lists.');
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
