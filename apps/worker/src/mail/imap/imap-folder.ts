import { createHash } from 'node:crypto';
import type { LeasedImap } from '#libs/mailboxes';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { ConnectionFault } from './connection-fault.js';

/** Most mails are smaller, and are fetched many at once. */
const BEGINNING_BYTES = 64 * 1024;
/** The others are fetched in such pieces. */
const PIECE_BYTES = 512 * 1024;

/** A mail of a server, with its beginning. */
export interface FolderMail {
  readonly uid: number;
  readonly size: number;
  readonly beginning: Buffer;
  readonly isWhole: boolean;
  /** What the server says of it without its being read. */
  readonly said: string;
  /** When the server got it, as it says. */
  readonly receivedAt: Date | null;
}

/** A mail that was not read. */
export interface DescribedMail extends Pick<FolderMail, 'uid' | 'said'> {
  readonly subject: string;
}

export interface OpenedFolder {
  readonly uidValidity: string;
  /** The number of the next mail. */
  readonly uidNext: number;
}

/** Reads a folder and changes nothing in it: it is opened by EXAMINE and read by BODY.PEEK. */
export class ImapFolder {
  constructor(
    private readonly client: ImapFlow,
    private readonly path: string,
  ) {}

  async open(): Promise<OpenedFolder> {
    const { uidValidity, uidNext, exists } = await this.client.mailboxOpen(this.path, { readOnly: true });
    if (!uidValidity) throw new ConnectionFault('The server does not say how it numbers the mails of this folder.');
    return { uidValidity: String(uidValidity), uidNext: uidNext || (await this.nextAfterLast(exists)) };
  }

  /** In the order in which they came. */
  async uidsAfter(uid: number): Promise<number[]> {
    const found = await this.search({ uid: `${uid + 1}:*` });
    // The last mail is always in such a range, however it is numbered.
    return found.filter((one) => one > uid);
  }

  uidsSince(since: Date): Promise<number[]> {
    return this.search({ since });
  }

  /** Of a range of numbers, both of them included, so that an answer has an end. */
  uidsWithin(from: number, to: number, since: Date | null): Promise<number[]> {
    return this.search({ uid: `${from}:${to}`, ...(since && { since }) });
  }

  async *mails(uids: readonly number[]): AsyncGenerator<FolderMail> {
    const source = { start: 0, maxLength: BEGINNING_BYTES };
    const query = { uid: true, size: true, envelope: true, internalDate: true, source };
    for await (const message of this.client.fetch(rangeOf(uids), query, { uid: true }))
      if (message.source && uids.includes(message.uid)) yield folderMail(message, message.source);
  }

  /** What the server says of these, and not what is in them. */
  async *descriptions(uids: readonly number[]): AsyncGenerator<DescribedMail> {
    const query = { uid: true, size: true, envelope: true };
    for await (const message of this.client.fetch(rangeOf(uids), query, { uid: true }))
      yield { uid: message.uid, said: saidOf(message), subject: message.envelope?.subject ?? '' };
  }

  /** Of those that were not answered, which are still there. */
  stillThere(uids: readonly number[]): Promise<number[]> {
    return uids.length === 0 ? Promise.resolve([]) : this.search({ uid: rangeOf(uids) });
  }

  /** All of a mail, piece by piece. */
  async *whole(uid: number): AsyncGenerator<Uint8Array> {
    const { content } = await this.client.download(String(uid), undefined, { uid: true, chunkSize: PIECE_BYTES });
    if (!content) throw new ConnectionFault('The server did not send a mail that it has.');
    yield* content as AsyncIterable<Uint8Array>;
  }

  private async nextAfterLast(exists: number): Promise<number> {
    if (exists === 0) return 1;
    const last = await this.client.fetchOne('*', { uid: true });
    return last ? last.uid + 1 : 1;
  }

  private async search(query: { uid?: string; since?: Date }): Promise<number[]> {
    const found = await this.client.search(query, { uid: true });
    if (!Array.isArray(found)) throw new ConnectionFault('The server refused to look for mails.');
    return found.toSorted((one, other) => one - other);
  }
}

const rangeOf = (uids: readonly number[]): string => uids.join(',');

function folderMail(message: FetchMessageObject, beginning: Buffer): FolderMail {
  const { uid, size = beginning.length, internalDate } = message;
  // Some servers tell another size than they send, so what counts is whether there is more.
  const isWhole = beginning.length < BEGINNING_BYTES;
  const receivedAt = internalDate === undefined ? null : new Date(internalDate);
  return { uid, size, beginning, isWhole, said: saidOf(message), receivedAt };
}

function saidOf({ size, envelope }: FetchMessageObject): string {
  const { date, subject, messageId, from } = envelope ?? {};
  const said = JSON.stringify([date, subject, messageId, from?.map(({ address }) => address), size]);
  return createHash('sha256').update(said).digest('hex');
}

export const folderOf = (client: ImapFlow, { folder }: LeasedImap): ImapFolder => new ImapFolder(client, folder);
