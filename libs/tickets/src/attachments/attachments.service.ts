import { Transactions, isUuid } from '#libs/database';
import { Attachment, InvalidField, MAX_ATTACHMENT_BYTES, type Message, NotFound, TooLarge } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { readLiveMessage, readMessage } from '../messages/message.statements.js';
import type { RequestContext } from '../request-context.js';
import { attachFiles, loadAttachments, readAttachment, refuseTooManyFiles } from './attachment.statements.js';
import { validateAttachmentName, validateAttachmentType } from './attachment-names.js';
import { FilesService, SizeLimitedContent } from './files.service.js';

export interface Upload {
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
}

interface IncomingUpload {
  readonly upload: Upload;
  readonly before: readonly Attachment[];
}

const OLDEST_FIRST: Order = { name: 'id', descending: false, keys: [{ column: 'x.id', type: 'uuid' }] };

@Injectable()
export class AttachmentsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
    private readonly files: FilesService,
  ) {}

  async list(context: RequestContext, messageId: string, request: PageRequest): Promise<Page<Attachment>> {
    const message = await readMessage(this.transactions.account(context), messageIdOf(messageId));
    const conditions = Conditions.forAccount('x');
    conditions.add(`x.message_id = ${conditions.bind(message.id)}`);
    const listing = { from: 'attachments x', id: 'x.id', conditions, order: OLDEST_FIRST };
    return this.lists.page(context, listing, request, loadAttachments);
  }

  async read(context: RequestContext, id: string): Promise<Attachment> {
    if (!isUuid(id)) throw new NotFound('attachment');
    return readAttachment(this.transactions.account(context), id);
  }

  /**
   * Adds all files or none. The transaction begins after the last byte is stored, so a slow upload holds nothing open.
   */
  async attach(context: RequestContext, messageId: string, uploads: AsyncIterable<Upload>): Promise<Attachment[]> {
    const message = await readLiveMessage(this.transactions.account(context), messageIdOf(messageId));
    refuseTooManyFiles(message.attachments.length + 1);
    const received = await this.receive(context, uploads);
    if (received.length === 0) throw new InvalidField('files', 'required', 'files must hold at least one file');
    await this.addToMessage(context, message, received);
    return received;
  }

  /** Stores stray files before their message, so that a failed upload also stops the message. */
  async receive(context: RequestContext, uploads: AsyncIterable<Upload>): Promise<Attachment[]> {
    const kept: Attachment[] = [];
    try {
      for await (const upload of uploads) kept.push(await this.storeUpload(context, { upload, before: kept }));
      return kept;
    } catch (error) {
      await this.discard(context, kept);
      throw error;
    }
  }

  private async addToMessage(
    context: RequestContext,
    message: Message,
    received: readonly Attachment[],
  ): Promise<void> {
    try {
      await this.transactions.run(context, async (tx, now) =>
        this.events.recordActivity(tx, context, 'files_attached', await attachFiles(tx, message, received, now)),
      );
    } catch (error) {
      await this.discard(context, received);
      throw error;
    }
  }

  async discard({ accountId }: RequestContext, received: readonly Attachment[]): Promise<void> {
    const ids = received.map(({ id }) => id);
    await this.files.discard(accountId, ids).catch(() => undefined);
  }

  private async storeUpload({ accountId }: RequestContext, { upload, before }: IncomingUpload): Promise<Attachment> {
    const field = `files.${before.length}`;
    const name = validateAttachmentName(upload.name, field);
    const contentType = validateAttachmentType(upload.contentType, field);
    refuseTooManyFiles(before.length + 1);
    const content = new SizeLimitedContent(upload.content, (size) => refuseLarge(size, name, field));
    const id = await this.files.save(accountId, content);
    return Object.assign(new Attachment(), {
      id,
      accountId,
      name,
      contentType,
      size: content.size,
    });
  }
}

function messageIdOf(text: string): string {
  if (!isUuid(text)) throw new NotFound('message');
  return text;
}

function refuseLarge(size: number, name: string, field: string): void {
  if (size <= MAX_ATTACHMENT_BYTES) return;
  const message = `${name} is larger than ${MAX_ATTACHMENT_BYTES / 1024 / 1024} MiB`;
  throw new TooLarge('file_too_large', message, [{ field, code: 'file_too_large', message }]);
}
