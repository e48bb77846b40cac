import { createHash } from 'node:crypto';
import {
  type BroughtMail,
  type ImapMailsService,
  type LeasedImap,
  MAX_MAIL_BYTES,
  MailTooLarge,
  standInFor,
} from '#libs/mailboxes';
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

/**
 * What is left out: nothing; what arrived, by its bytes; or also what was there before the first connection, by what the server
 * says of it, since a server that numbers its mails anew has all of them come again.
 */
export type KnownMails = 'none' | 'arrived' | 'described';

/** Mails whose bytes are being kept while the next ones are on their way. None is an arrival yet. */
export class TakenMails {
  private readonly taken: Promise<BroughtMail>[] = [];
  private readonly long: FolderMail[] = [];

  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
    private readonly known: KnownMails,
  ) {}

  take(mail: FolderMail): void {
    if (mail.isWhole && mail.beginning.length > 0) void this.add(this.keepWhole(mail));
    else this.long.push(mail);
  }

  /** One after the other, once nothing else is on its way. */
  async takeLong(): Promise<void> {
    for (const mail of this.long) await this.add(this.keepLong(mail));
  }

  takeStandIn(uid: number): Promise<BroughtMail> {
    return this.add(this.standIn({ uid, beginning: null, receivedAt: null }));
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

  private async keepWhole({ uid, beginning, said, receivedAt }: FolderMail): Promise<BroughtMail> {
    const hash = createHash('sha256').update(beginning).digest('hex');
    if (await this.isKnown(hash, said)) return { uid, hash, kept: null, receivedAt };
    return { uid, hash, kept: await this.mails.keep(this.held, onePiece(beginning)), receivedAt };
  }

  private async keepLong(long: FolderMail): Promise<BroughtMail> {
    const { uid, size, said, receivedAt } = long;
    if (await this.isKnown(null, said)) return { uid, hash: said, kept: null, receivedAt };
    if (size > MAX_MAIL_BYTES) return this.standIn(long);
    try {
      const kept = await this.mails.keep(this.held, fromServer(uid, this.folder.whole(uid)));
      const mail = { uid, hash: kept.hash, kept, receivedAt };
      if (kept.size === 0) return await this.emptied(mail);
      if (!(await this.isKnown(kept.hash, null))) return mail;
      await this.mails.discard(this.held, [mail]);
      return { ...mail, kept: null };
    } catch (error) {
      if (error instanceof MailTooLarge) return this.standIn(long);
      throw error;
    }
  }

  /** Servers have such, and there is nothing in it to be understood. */
  private async emptied(mail: BroughtMail): Promise<BroughtMail> {
    await this.mails.discard(this.held, [mail]);
    return this.standIn({ ...mail, beginning: null });
  }

  private async standIn({ uid, beginning, receivedAt }: MissingMail): Promise<BroughtMail> {
    const kept = await this.mails.keep(this.held, onePiece(standInFor({ uid, folder: this.held.folder, beginning })));
    return { uid, hash: kept.hash, kept, receivedAt };
  }

  private async isKnown(hash: string | null, said: string | null): Promise<boolean> {
    if (this.known === 'none') return false;
    const hashes = [hash, this.known === 'described' ? said : null].filter((one) => one !== null);
    return hashes.length > 0 && (await this.mails.knownHashes(this.held, hashes)).size > 0;
  }
}

interface MissingMail extends Pick<FolderMail, 'uid' | 'receivedAt'> {
  readonly beginning: Buffer | null;
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
