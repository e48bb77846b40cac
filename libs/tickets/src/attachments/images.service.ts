import { Database } from '#libs/database';
import { type Attachment, NotFound } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { readAttachment } from './attachment.statements.js';
import { FilesService } from './files.service.js';
import { IMAGE_HEAD_BYTES, isRasterImage, isShownImage } from './shown-images.js';

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
