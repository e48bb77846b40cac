import type { Readable } from 'node:stream';
import { Database } from '#libs/database';
import { type Attachment, Forbidden, NotFound } from '#libs/entities';
import { Links } from '#libs/payloads';
import type { ByteRange } from '#libs/storage';
import { Injectable } from '@nestjs/common';
import { readAttachment } from './attachment.statements.js';
import { FilesService } from './files.service.js';

export interface Download {
  readonly attachment: Attachment;
  readonly secondsLeft: number;
}

@Injectable()
export class DownloadsService {
  constructor(
    private readonly database: Database,
    private readonly files: FilesService,
    private readonly links: Links,
  ) {}

  /** The token names the account, so the caller needs no session. */
  async find(id: string, text: string): Promise<Download> {
    const pass = this.links.downloadTokens?.verify(text, id);
    if (!pass || pass.kind === 'forged') throw new NotFound('attachment');
    if (pass.kind === 'expired')
      throw new Forbidden('download_expired', 'This address has expired. Read the attachment again for a new one.');
    const attachment = await readAttachment(this.database.account(pass.accountId), id);
    return { attachment, secondsLeft: pass.secondsLeft };
  }

  /** The caller must read or destroy the stream. */
  async open({ attachment }: Download, range?: ByteRange): Promise<Readable> {
    const content = await this.files.open(attachment, range);
    if (!content) throw new NotFound('file');
    return content;
  }
}
