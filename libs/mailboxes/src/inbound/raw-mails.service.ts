import { createHash } from 'node:crypto';
import { Database } from '#libs/database';
import { type FilesService, SizeLimitedContent } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { DISCARD_OLD_HELD, DISCARD_RAW } from './arrival.statements.js';

/** The largest providers accept as much. */
export const MAX_MAIL_BYTES = 50 * 1024 * 1024;

export interface StoredMail {
  readonly id: string;
  readonly size: number;
  readonly hash: string;
}

/** `refuse` throws the error for a mail that is too large. */
export async function storeMail(
  files: FilesService,
  accountId: string,
  { content, refuse }: { readonly content: AsyncIterable<Uint8Array>; readonly refuse: () => never },
): Promise<StoredMail> {
  const hash = createHash('sha256');
  const limited = new SizeLimitedContent(hashed(content, hash), (size) => {
    if (size > MAX_MAIL_BYTES) refuse();
  });
  const id = await files.save(accountId, limited);
  return { id, size: limited.size, hash: hash.digest('hex') };
}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

const BATCH = 500;

/** Called by upkeep until it returns 0. */
@Injectable()
export class RawMailsService {
  constructor(private readonly database: Database) {}

  /** The rows stay, so that replies and repeats are recognized. */
  async giveUp(before: Date, now: Date): Promise<number> {
    return (await this.database.system().rows(DISCARD_RAW, [before, now, BATCH])).length;
  }

  async discardHeld(before: Date, now: Date): Promise<number> {
    return (await this.database.system().rows(DISCARD_OLD_HELD, [before, now, BATCH])).length;
  }
}
