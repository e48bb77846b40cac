import { Database } from '#libs/database';
import { type Attachment, NotFound } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { readAttachment } from './attachment.statements.js';
import { FilesService } from './files.service.js';

@Injectable()
export class ImagesService {
  constructor(
    private readonly database: Database,
    private readonly files: FilesService,
  ) {}

  /** Refuses a file whose bytes do not match its type, because the sender chose both. */
  async read({ accountId }: RequestContext, id: string): Promise<Attachment> {
    const attachment = await readAttachment(this.database.account(accountId), id);
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

/** The bytes that a signature needs. */
export const IMAGE_HEAD_BYTES = 16;

const isRasterType = (contentType: string): boolean => Object.hasOwn(SIGNATURES, contentType);

/** Whether the first bytes match the content type. */
export const isRasterImage = (contentType: string, head: Buffer): boolean =>
  isRasterType(contentType) && SIGNATURES[contentType]!(head);
