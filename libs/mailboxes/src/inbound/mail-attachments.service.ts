import { Readable } from 'node:stream';
import type { AccountTx } from '#libs/database';
import { Attachment, type Ticket } from '#libs/entities';
import { type Actor, EventsService, describeTicketActivity } from '#libs/events';
import {
  FilesService,
  type RenderedBody,
  SizeLimitedContent,
  addAttachments,
  isShownImage,
  mendAttachmentName,
  mendAttachmentType,
  withAttachments,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { InboundMail } from './arrival.statements.js';
import type { MailFile } from './mail-parts.js';

@Injectable()
export class MailAttachmentsService {
  constructor(
    private readonly files: FilesService,
    private readonly events: EventsService,
  ) {}

  /** Removes the files if `work` fails. They replace the raw mail. */
  async withStored(
    inbound: InboundMail,
    files: readonly MailFile[],
    work: (stored: readonly Attachment[]) => Promise<void>,
  ): Promise<void> {
    const { accountId } = inbound;
    const stored: Attachment[] = [];
    try {
      for (const file of files) stored.push(await this.store(accountId, file, stored.length + 1));
      await work(stored);
    } catch (error) {
      const ids = stored.map(({ id }) => id);
      await this.files.discard(accountId, ids).catch(() => undefined);
      throw error;
    }
    if (stored.length > 0) await this.discardRaw(inbound);
  }

  /** Upkeep removes the bytes if this fails. */
  async discardRaw({ accountId, id }: InboundMail): Promise<void> {
    await this.files.discard(accountId, [id]).catch(() => undefined);
  }

  async add(
    tx: AccountTx,
    actor: Actor,
    { id, ticket, files }: { readonly id: string; readonly ticket: Ticket; readonly files: readonly Attachment[] },
    now: Date,
  ): Promise<readonly Attachment[]> {
    if (files.length === 0) return files;
    for (const file of files) Object.assign(file, { messageId: id, createdAt: now });
    await addAttachments(tx, { id }, files, now, 'any number');
    await this.events.recordActivity(tx, actor, 'files_attached', describeTicketActivity(ticket, { message: id }));
    return files;
  }

  private async store(accountId: string, { name, type, content }: MailFile, index: number): Promise<Attachment> {
    const bytes = new SizeLimitedContent(Readable.from([content]), () => undefined);
    const id = await this.files.save(accountId, bytes, { mayUseReserve: true });
    const contentType = mendAttachmentType(type);
    const named = mendAttachmentName(name, defaultName(contentType, index));
    return Object.assign(new Attachment(), { id, accountId, name: named, contentType, size: bytes.size });
  }
}

function defaultName(type: string, index: number): string {
  const endings: Readonly<Record<string, string>> = {
    'message/rfc822': 'eml',
    'text/calendar': 'ics',
    'text/plain': 'txt',
  };
  const ending = endings[type] ?? /^(?:image|audio|video|text)\/([a-z0-9]{1,8})$/.exec(type)?.[1];
  return `attachment-${index}${ending === undefined ? '' : `.${ending}`}`;
}

/** `stored` has the files in the same order. */
export function withPictures(
  rendered: RenderedBody,
  files: readonly MailFile[],
  stored: readonly Attachment[],
): RenderedBody {
  if (rendered.safeHtml === null) return rendered;
  const images = stored.map(
    (file, at) => [files[at]!.contentId ?? '', isShownImage(file) ? file.id : undefined] as const,
  );
  const ids = new Map(images);
  return { ...rendered, safeHtml: withAttachments(rendered.safeHtml, (contentId) => ids.get(contentId)) };
}
