import { createHash } from 'node:crypto';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { ConnectionFault } from './connection-fault.js';

/** Most emails are smaller and are fetched as a whole. */
const BEGINNING_BYTES = 64 * 1024;
const PIECE_BYTES = 512 * 1024;

export interface FolderMail {
  readonly uid: number;
  readonly size: number;
  readonly beginning: Buffer;
  readonly isWhole: boolean;
  /** A hash of size and envelope, which need no content. */
  readonly description: string;
  readonly receivedAt: Date | null;
}

interface DescribedMail extends Pick<FolderMail, 'uid' | 'description'> {
  readonly subject: string;
}

/** EXAMINE and BODY.PEEK change nothing. */
export class ImapFolder {
  constructor(
    private readonly client: ImapFlow,
    private readonly path: string,
  ) {}

  async open(): Promise<{ uidValidity: string; uidNext: number }> {
    const { uidValidity, uidNext, exists } = await this.client.mailboxOpen(this.path, { readOnly: true });
    if (!uidValidity) throw new ConnectionFault('The server did not report a UIDVALIDITY for this folder.');
    return { uidValidity: String(uidValidity), uidNext: uidNext || (await this.nextAfterLast(exists)) };
  }

  /** Ascending. */
  async uidsAfter(uid: number): Promise<number[]> {
    const found = await this.search({ uid: `${uid + 1}:*` });
    // Such a range always includes the last mail.
    return found.filter((one) => one > uid);
  }

  uidsSince(since: Date): Promise<number[]> {
    return this.search({ since });
  }

  /** A range bounds the response. */
  uidsWithin(from: number, to: number, since: Date | null): Promise<number[]> {
    return this.search({ uid: `${from}:${to}`, ...(since && { since }) });
  }

  async *mails(uids: readonly number[]): AsyncGenerator<FolderMail> {
    const source = { start: 0, maxLength: BEGINNING_BYTES };
    const query = { uid: true, size: true, envelope: true, internalDate: true, source };
    for await (const message of this.client.fetch(rangeOf(uids), query, { uid: true }))
      if (message.source && uids.includes(message.uid)) yield folderMail(message, message.source);
  }

  async *descriptions(uids: readonly number[]): AsyncGenerator<DescribedMail> {
    const query = { uid: true, size: true, envelope: true };
    for await (const message of this.client.fetch(rangeOf(uids), query, { uid: true }))
      yield { uid: message.uid, description: descriptionOf(message), subject: message.envelope?.subject ?? '' };
  }

  /** Returns those still on the server. */
  stillThere(uids: readonly number[]): Promise<number[]> {
    return uids.length === 0 ? Promise.resolve([]) : this.search({ uid: rangeOf(uids) });
  }

  async *whole(uid: number): AsyncGenerator<Uint8Array> {
    const { content } = await this.client.download(String(uid), undefined, { uid: true, chunkSize: PIECE_BYTES });
    if (!content) throw new ConnectionFault('The server did not send an email that it lists.');
    yield* content as AsyncIterable<Uint8Array>;
  }

  private async nextAfterLast(exists: number): Promise<number> {
    if (exists === 0) return 1;
    const last = await this.client.fetchOne('*', { uid: true });
    return last ? last.uid + 1 : 1;
  }

  private async search(query: { uid?: string; since?: Date }): Promise<number[]> {
    const found = await this.client.search(query, { uid: true });
    if (!Array.isArray(found)) throw new ConnectionFault('The server refused a search.');
    return found.toSorted((one, other) => one - other);
  }
}

const rangeOf = (uids: readonly number[]): string => uids.join(',');

function folderMail(message: FetchMessageObject, beginning: Buffer): FolderMail {
  const { uid, size = beginning.length, internalDate } = message;
  // Some servers report a wrong size.
  const isWhole = beginning.length < BEGINNING_BYTES;
  const receivedAt = internalDate === undefined ? null : new Date(internalDate);
  return { uid, size, beginning, isWhole, description: descriptionOf(message), receivedAt };
}

function descriptionOf({ size, envelope }: FetchMessageObject): string {
  const { date, subject, messageId, from } = envelope ?? {};
  const description = JSON.stringify([date, subject, messageId, from?.map(({ address }) => address), size]);
  return createHash('sha256').update(description).digest('hex');
}
