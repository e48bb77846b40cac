import { Transactions } from '#libs/database';
import { Attachment, InvalidField, MAX_ATTACHMENT_BYTES, TooLarge, NotFound } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { SizeLimitedContent } from '#libs/storage';
import { Injectable } from '@nestjs/common';
import { readLiveMessage, readMessage } from '../messages/message.statements.js';
import { type RequestContext, refuseImpersonation } from '../request-context.js';
import { attachFiles, loadAttachments, readAttachment, refuseTooManyFiles } from './attachment.statements.js';
import { validateAttachmentName, validateAttachmentType } from './attachment-names.js';
import { FilesService } from './files.service.js';

export interface Upload {
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
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
    const message = await readMessage(this.transactions.account(context), messageId);
    const conditions = Conditions.forAccount('x');
    conditions.add(`x.message_id = ${conditions.bind(message.id)}`);
    const listing = { from: 'attachments x', id: 'x.id', conditions, order: OLDEST_FIRST };
    return this.lists.page(context, listing, request, loadAttachments);
  }

  read(context: RequestContext, id: string): Promise<Attachment> {
    return readAttachment(this.transactions.account(context), id);
  }

  /** Stored files, to attach them to another message. */
  async *copiesOf(context: RequestContext, ids: readonly string[]): AsyncGenerator<Upload> {
    for (const id of ids) {
      const { name, contentType, ...key } = await this.read(context, id);
      const content = await this.files.open(key);
      if (!content) throw new NotFound('attachment');
      try {
        yield { name, contentType, content };
      } finally {
        content.destroy();
      }
    }
  }

  /** Refuses a file whose bytes do not match its type, because the sender chose both. */
  async readImage(context: RequestContext, id: string): Promise<Attachment> {
    const attachment = await this.read(context, id);
    if (!isShownImage(attachment) || !isRasterImage(attachment.contentType, await this.head(attachment)))
      throw new NotFound('picture');
    return attachment;
  }

  private async head(attachment: Attachment): Promise<Buffer> {
    const last = Math.min(attachment.size, IMAGE_HEAD_BYTES) - 1;
    const content = await this.files.open(attachment, { first: 0, last });
    const pieces: Uint8Array[] = [];
    for await (const piece of content ?? []) pieces.push(piece as Uint8Array);
    return Buffer.concat(pieces);
  }

  /**
   * Adds all files or none. The transaction begins after the last byte is stored, so a slow upload holds nothing open.
   */
  async attach(context: RequestContext, messageId: string, uploads: AsyncIterable<Upload>): Promise<Attachment[]> {
    const message = await readLiveMessage(this.transactions.account(context), messageId);
    refuseImpersonation(context, message.author);
    refuseTooManyFiles(message.attachments.length + 1);
    return this.receive(context, uploads, async (received) => {
      if (received.length === 0) throw new InvalidField('files', 'required', 'files must hold at least one file');
      await this.transactions.run(context, (tx, now) =>
        attachFiles(tx, this.events, context, { message, files: received }, now),
      );
      return received;
    });
  }

  /** Stores stray files for `work` to attach, so that a failed upload also stops the message. Discards the others. */
  async receive<T>(
    { accountId }: RequestContext,
    uploads: AsyncIterable<Upload>,
    work: (received: Attachment[]) => Promise<T>,
  ): Promise<T> {
    const received: Attachment[] = [];
    try {
      for await (const upload of uploads) received.push(await this.storeUpload(accountId, upload, received.length));
      return await work(received);
    } catch (error) {
      const ids = received.map(({ id }) => id);
      await this.files.discard(accountId, ids).catch(() => undefined);
      throw error;
    }
  }

  private async storeUpload(accountId: string, upload: Upload, place: number): Promise<Attachment> {
    const field = `files.${place}`;
    const name = validateAttachmentName(upload.name, field);
    const contentType = validateAttachmentType(upload.contentType, field);
    refuseTooManyFiles(place + 1);
    const content = new SizeLimitedContent(upload.content, (size) => refuseLarge(size, name, field));
    const id = await this.files.save(accountId, content);
    return Object.assign(new Attachment(), { id, accountId, name, contentType, size: content.size });
  }
}

function refuseLarge(size: number, name: string, field: string): void {
  if (size <= MAX_ATTACHMENT_BYTES) return;
  const message = `${name} is larger than ${MAX_ATTACHMENT_BYTES / 1024 / 1024} MiB`;
  throw new TooLarge('file_too_large', message, [{ field, code: 'file_too_large', message }]);
}

/** Larger pictures are downloads; a page with a few of them would take minutes to load. */
const MAX_SHOWN_BYTES = 5 * 1024 * 1024;

/** Whether a page may show the file. Its bytes still have to be checked. */
export const isShownImage = ({ contentType, size }: Pick<Attachment, 'contentType' | 'size'>): boolean =>
  isRasterType(contentType) && size > 0 && size <= MAX_SHOWN_BYTES;

type Signature = (head: Buffer) => boolean;

const ascii =
  (text: string, offset = 0): Signature =>
  (head) =>
    head.toString('latin1', offset, offset + text.length) === text;

/**
 * Formats without scripts or external references, unlike SVG, with their first bytes
 * (https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern).
 */
const SIGNATURES: Readonly<Record<string, Signature>> = {
  'image/avif': (head) => ascii('ftyp', 4)(head) && (ascii('avif', 8)(head) || ascii('avis', 8)(head)),
  'image/gif': (head) => ascii('GIF87a')(head) || ascii('GIF89a')(head),
  'image/jpeg': ascii('\xff\xd8\xff'),
  'image/png': ascii('\x89PNG\r\n\x1a\n'),
  'image/webp': (head) => ascii('RIFF')(head) && ascii('WEBPVP', 8)(head),
};

const IMAGE_HEAD_BYTES = 16;

const isRasterType = (contentType: string): boolean => Object.hasOwn(SIGNATURES, contentType);

/** Whether the first bytes match the content type. */
export const isRasterImage = (contentType: string, head: Buffer): boolean =>
  isRasterType(contentType) && SIGNATURES[contentType]!(head);
