import { createHash } from 'node:crypto';
import { isUuid } from '#libs/database';
import type { Settings } from '#libs/settings';

/** A longer id does not fit into the index and is hashed. */
const MAX_ID_CHARACTERS = 200;
const MAX_IDS = 200;

// oxlint-disable-next-line no-control-regex
const NOT_IN_IDS = /[\s\u0000]/g;

export function mailIdsIn(header: string | undefined): string[] {
  const [before = '', ...pieces] = (header ?? '').split('<', MAX_IDS + 1);
  // Some programs leave out the brackets around a single id.
  const ids = (pieces.length > 0 ? pieces : [before]).map((piece) =>
    piece.split('>', 1)[0]!.replaceAll(NOT_IN_IDS, ''),
  );
  return ids.filter((id) => id !== '').map((id) => (id.length > MAX_ID_CHARACTERS ? `sha256:${sha256(id)}` : id));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same content is the same email. */
export const mailIdOfContent = (contentHash: string): string => `content:${contentHash}`;

export const hostOf = ({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>): string => new URL(PUBLIC_URL).hostname;

export const mailIdOfMessage = (messageId: string, host: string): string => `${messageId}@${host}`;

export function messageOfMailId(mailId: string): string | null {
  const [local = ''] = mailId.split('@', 1);
  return isUuid(local) ? local : null;
}
