import { createHash } from 'node:crypto';
import {
  type BroughtMail,
  type ImapMailsService,
  type LeasedImap,
  MAX_MAIL_BYTES,
  MailTooLarge,
  standInFor,
} from '#libs/desk';
import type { FolderMail, ImapFolder } from './imap-folder.js';

/** The server was asked for this mail when the connection ended. */
export class StuckAtMail extends Error {
  constructor(
    readonly uid: number,
    override readonly cause: unknown,
  ) {
    super('The server does not send a mail');
  }
}

/** Mails whose bytes are being kept while the next ones are on their way. None is an arrival yet. */
export class TakenMails {
  private readonly taken: Promise<BroughtMail>[] = [];
  private readonly long: FolderMail[] = [];

  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
    /** What came before comes again when a server numbers its mails anew. */
    private readonly mayBeKnown: boolean,
  ) {}

  take(mail: FolderMail): void {
    if (mail.isWhole && mail.beginning.length > 0) void this.add(this.keepWhole(mail));
    else this.long.push(mail);
  }

  /** One after the other, once nothing else is on its way. */
  async takeLong(): Promise<void> {
    for (const mail of this.long) await this.add(this.keepLong(mail));
  }

  takeStandIn(uid: number, beginning: Buffer | null): Promise<BroughtMail> {
    return this.add(this.standIn(uid, beginning));
  }

  /** All of them, or none. */
  async all(): Promise<BroughtMail[]> {
    const outcomes = await Promise.allSettled(this.taken);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    const brought = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    if (!failed) return brought;
    await this.mails.discard(this.held, brought);
    throw failed.reason;
  }

  /** Something else went wrong meanwhile. */
  async letGo(): Promise<void> {
    const outcomes = await Promise.allSettled(this.taken);
    const brought = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    await this.mails.discard(this.held, brought);
  }

  /** It is waited for at the end, and what goes wrong is heard of then. */
  private add(mail: Promise<BroughtMail>): Promise<BroughtMail> {
    mail.catch(() => undefined);
    this.taken.push(mail);
    return mail;
  }

  private async keepWhole({ uid, beginning, said }: FolderMail): Promise<BroughtMail> {
    const hash = createHash('sha256').update(beginning).digest('hex');
    if (await this.isKnown([hash, said])) return { uid, hash, kept: null };
    return { uid, hash, kept: await this.mails.keep(this.held, onePiece(beginning)) };
  }

  private async keepLong({ uid, size, beginning, said }: FolderMail): Promise<BroughtMail> {
    if (await this.isKnown([said])) return { uid, hash: said, kept: null };
    if (size > MAX_MAIL_BYTES) return this.standIn(uid, beginning);
    try {
      const kept = await this.mails.keep(this.held, fromServer(uid, this.folder.whole(uid)));
      if (kept.size === 0) return await this.emptied(uid, { uid, hash: kept.hash, kept });
      const mail = { uid, hash: kept.hash, kept };
      if (!(await this.isKnown([kept.hash]))) return mail;
      await this.mails.discard(this.held, [mail]);
      return { ...mail, kept: null };
    } catch (error) {
      if (error instanceof MailTooLarge) return this.standIn(uid, beginning);
      throw error;
    }
  }

  /** Servers have such, and there is nothing in it to be understood. */
  private async emptied(uid: number, mail: BroughtMail): Promise<BroughtMail> {
    await this.mails.discard(this.held, [mail]);
    return this.standIn(uid, null);
  }

  private async standIn(uid: number, beginning: Buffer | null): Promise<BroughtMail> {
    const kept = await this.mails.keep(this.held, onePiece(standInFor({ uid, folder: this.held.folder, beginning })));
    return { uid, hash: kept.hash, kept };
  }

  private async isKnown(hashes: readonly string[]): Promise<boolean> {
    return this.mayBeKnown && (await this.mails.knownHashes(this.held, hashes)).size > 0;
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* fromServer(uid: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw new StuckAtMail(uid, error);
  }
}
