import { createHash } from 'node:crypto';
import { type Arrival, TooLarge } from '#libs/entities';
import { SizeLimitedContent } from '#libs/storage';
import type { FilesService } from '#libs/tickets';

/** The largest providers accept as much. */
export const MAX_MAIL_BYTES = 50 * 1024 * 1024;

export type StoredMail = Readonly<Pick<Arrival, 'id' | 'size' | 'hash'>>;

/** Throws TooLarge. */
export async function storeMail(
  files: FilesService,
  accountId: string,
  content: AsyncIterable<Uint8Array>,
): Promise<StoredMail> {
  const hash = createHash('sha256');
  const limited = new SizeLimitedContent(content, (size, chunk) => {
    if (size > MAX_MAIL_BYTES)
      throw new TooLarge('mail_too_large', `The mail is larger than ${MAX_MAIL_BYTES / 1024 / 1024} MiB.`);
    hash.update(chunk);
  });
  const id = await files.save(accountId, limited);
  return { id, size: limited.size, hash: hash.digest('hex') };
}
