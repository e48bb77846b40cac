import { Readable } from 'node:stream';
import type { AccountTx } from '#libs/database';
import { type Arrival, Attachment, type Ticket } from '#libs/entities';
import { type Actor, EventsService, describeTicketActivity } from '#libs/events';
import {
  FilesService,
  SizeLimitedContent,
  addAttachments,
  mendAttachmentName,
  mendAttachmentType,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { MailFile } from './mail-files.js';

interface AddedFiles {
  /** Of the message. */
  readonly id: string;
  readonly ticket: Ticket;
  readonly files: readonly Attachment[];
  readonly now: Date;
}

/** Files of mails, which become those of messages. */
@Injectable()
export class MailAttachmentsService {
  constructor(
    private readonly files: FilesService,
    private readonly events: EventsService,
  ) {}

  /**
   * Stores the files before `work`, and removes them again where it fails. Then they take the place of the bytes of the mail, so
   * that a mail is stored once.
   */
  async keeping(
    arrival: Pick<Arrival, 'accountId' | 'id'>,
    files: readonly MailFile[],
    work: (kept: readonly Attachment[]) => Promise<void>,
  ): Promise<void> {
    const { accountId } = arrival;
    const kept: Attachment[] = [];
    try {
      for (const file of files) kept.push(await this.keep(accountId, file, kept.length + 1));
      await work(kept);
    } catch (error) {
      const ids = kept.map(({ id }) => id);
      await this.files.discard(accountId, ids).catch(() => undefined);
      throw error;
    }
    // Upkeep removes them if this fails.
    if (kept.length > 0) await this.files.discard(accountId, [arrival.id]).catch(() => undefined);
  }

  async add(tx: AccountTx, actor: Actor, { id, ticket, files, now }: AddedFiles): Promise<readonly Attachment[]> {
    if (files.length === 0) return files;
    for (const file of files) Object.assign(file, { messageId: id, createdAt: now });
    await addAttachments(tx, { id }, files, now, 'any number');
    await this.events.recordActivity(tx, actor, 'files_attached', describeTicketActivity(ticket, { message: id }));
    return files;
  }

  private async keep(accountId: string, { name, type, content }: MailFile, place: number): Promise<Attachment> {
    const bytes = new SizeLimitedContent(Readable.from([content]), () => undefined);
    const id = await this.files.save(accountId, bytes, { mayUseReserve: true });
    const contentType = mendAttachmentType(type);
    const named = mendAttachmentName(name, otherName(contentType, place));
    return Object.assign(new Attachment(), { id, accountId, name: named, contentType, size: bytes.size });
  }
}

/** For a part that has no name of its own. */
function otherName(type: string, place: number): string {
  const endings: Readonly<Record<string, string>> = {
    'message/rfc822': 'eml',
    'text/calendar': 'ics',
    'text/plain': 'txt',
  };
  const ending = endings[type] ?? /^(?:image|audio|video|text)\/([a-z0-9]{1,8})$/.exec(type)?.[1];
  return `attachment-${place}${ending === undefined ? '' : `.${ending}`}`;
}
