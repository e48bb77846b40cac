import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { TooLarge } from '#libs/entities';
import { type FetchedMail, type ImapMailsService, type LeasedImap, MAX_MAIL_BYTES } from '#libs/mailboxes';
import { StuckAtMail } from './connection-fault.js';
import type { FolderMail, ImapFolder } from './imap-folder.js';

/**
 * A server that renumbers offers all emails again. `received` skips those received before (by their bytes), `described`
 * also those from before the first connection (by their description).
 */
export type SkippedMails = 'none' | 'received' | 'described';

/** Stores emails while the next are fetched. Accepts none. */
export class StoredBatch {
  private readonly pending: Promise<FetchedMail>[] = [];
  private readonly long: FolderMail[] = [];

  constructor(
    private readonly mails: ImapMailsService,
    private readonly folder: ImapFolder,
    private readonly held: LeasedImap,
    private readonly skipped: SkippedMails,
  ) {}

  add(mail: FolderMail): void {
    if (mail.isWhole && mail.beginning.length > 0) void this.track(this.storeWhole(mail));
    else this.long.push(mail);
  }

  async addLong(): Promise<void> {
    for (const mail of this.long) await this.track(this.storeLong(mail));
  }

  addPlaceholder(uid: number): Promise<FetchedMail> {
    return this.track(this.storePlaceholder({ uid, beginning: null, receivedAt: null }));
  }

  /** Throws the first failure. */
  all(): Promise<FetchedMail[]> {
    return Promise.all(this.pending);
  }

  async discard(): Promise<void> {
    const outcomes = await Promise.allSettled(this.pending);
    const stored = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    await this.mails.discard(this.held, stored);
  }

  private track(mail: Promise<FetchedMail>): Promise<FetchedMail> {
    mail.catch(() => undefined);
    this.pending.push(mail);
    return mail;
  }

  private async storeWhole({ uid, beginning, description, receivedAt }: FolderMail): Promise<FetchedMail> {
    const hash = createHash('sha256').update(beginning).digest('hex');
    if (await this.isKnown(hash, description)) return { uid, hash, stored: null, receivedAt };
    return { uid, hash, stored: await this.mails.store(this.held, Readable.from([beginning])), receivedAt };
  }

  private async storeLong(long: FolderMail): Promise<FetchedMail> {
    const { uid, size, description, receivedAt } = long;
    if (await this.isKnown(null, description)) return { uid, hash: description, stored: null, receivedAt };
    if (size > MAX_MAIL_BYTES) return this.storePlaceholder(long);
    try {
      const stored = await this.mails.store(this.held, fromServer(uid, this.folder.whole(uid)));
      const mail = { uid, hash: stored.hash, stored, receivedAt };
      const isEmpty = stored.size === 0;
      if (!isEmpty && !(await this.isKnown(stored.hash, null))) return mail;
      await this.mails.discard(this.held, [mail]);
      // Some servers have empty emails.
      return isEmpty ? await this.storePlaceholder({ ...mail, beginning: null }) : { ...mail, stored: null };
    } catch (error) {
      if (error instanceof TooLarge) return this.storePlaceholder(long);
      throw error;
    }
  }

  private async storePlaceholder(mail: ReplacedMail): Promise<FetchedMail> {
    const stored = await this.mails.store(this.held, Readable.from([placeholderFor(mail, this.held.folder)]));
    return { uid: mail.uid, hash: stored.hash, stored, receivedAt: mail.receivedAt };
  }

  private async isKnown(hash: string | null, description: string | null): Promise<boolean> {
    if (this.skipped === 'none') return false;
    const hashes = [hash, this.skipped === 'described' ? description : null].filter((one) => one !== null);
    return hashes.length > 0 && (await this.mails.knownHashes(this.held, hashes)).size > 0;
  }
}

interface ReplacedMail extends Pick<FolderMail, 'uid' | 'receivedAt'> {
  /** Set for an email that is too large. Null if the server does not send it. */
  readonly beginning: Buffer | null;
}

async function* fromServer(uid: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw new StuckAtMail(uid, error);
  }
}

const MIB = 1024 * 1024;
const MAX_HEADER_CHARACTERS = 32 * 1024;

/** With its header, the placeholder joins the same ticket. */
function placeholderFor({ uid, beginning }: ReplacedMail, folder: string): Buffer {
  const where = `It is still on the mail server, in the folder ${folder.replaceAll(/\s+/g, ' ')}, with the UID ${uid}.`;
  const text = beginning
    ? `This email is larger than ${MAX_MAIL_BYTES / MIB} MiB and was not fetched. ${where}`
    : `The mail server did not send this email. ${where}`;
  const header = beginning ? headerOf(beginning) : ['Subject: An email that could not be fetched'];
  const lines = [
    ...header,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(`${text}\r\n`, 'utf8')]);
}

function headerOf(beginning: Buffer): string[] {
  const [header = ''] = beginning
    .toString('latin1')
    .slice(0, MAX_HEADER_CHARACTERS)
    .split(/\r?\n\r?\n/, 1);
  const fields = header.split(/\r?\n(?![ \t])/);
  return fields.filter((field) => field.includes(':') && !/^(content-|mime-version)/i.test(field));
}
