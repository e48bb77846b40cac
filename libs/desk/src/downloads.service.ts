import type { Readable } from 'node:stream';
import { Database, isUuid } from '#libs/database';
import { type Attachment, Forbidden, NotFound } from '#libs/entities';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { readAttachment } from './attachment.statements.js';
import { FilesService } from './files.service.js';

/** A file on its way out. Whoever takes it must read it or destroy it. */
export interface Download {
  readonly attachment: Attachment;
  readonly content: Readable;
  /** For how long its address still leads here. */
  readonly secondsLeft: number;
}

@Injectable()
export class DownloadsService {
  constructor(
    private readonly database: Database,
    private readonly files: FilesService,
    private readonly links: Links,
  ) {}

  /** For whoever holds the pass, whoever that is; the account it is for stands in it. One round trip, and the store. */
  async open(id: string, text: string): Promise<Download> {
    const pass = this.links.downloadTokens?.verify(text, id);
    if (!pass || pass.kind === 'forged' || !isUuid(id)) throw new NotFound('attachment');
    if (pass.kind === 'expired')
      throw new Forbidden('download_expired', 'This address has expired. Read the attachment again for a new one.');
    const attachment = await readAttachment(this.database.account(pass.accountId), id);
    const content = await this.files.open(attachment);
    if (!content) throw new NotFound('file');
    return { attachment, content, secondsLeft: pass.secondsLeft };
  }
}
