import { createHash } from 'node:crypto';
import { isUuid } from '#libs/database';

/** A longer id does not fit into the index and is replaced by its hash. */
const MAX_ID_CHARACTERS = 200;
const MAX_IDS = 200;

// oxlint-disable-next-line no-control-regex
const NOT_IN_IDS = /[\s\u0000]/g;

/** Parses the ids in a Message-ID, In-Reply-To or References header, in order. */
export function mailIdsIn(header: string | undefined): string[] {
  const [before = '', ...pieces] = (header ?? '').split('<', MAX_IDS + 1);
  // Some programs leave out the angle brackets around a single id.
  const ids = (pieces.length > 0 ? pieces : [before]).map((piece) =>
    piece.split('>', 1)[0]!.replaceAll(NOT_IN_IDS, ''),
  );
  return ids.filter((id) => id !== '').map((id) => (id.length > MAX_ID_CHARACTERS ? `sha256:${sha256(id)}` : id));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The id of a mail without a Message-ID: the same content is the same mail. */
export const mailIdOfContent = (contentHash: string): string => `content:${contentHash}`;

/** The Message-ID of the mail that brings one of our messages. */
export const mailIdOfMessage = (messageId: string, host: string): string => `${messageId}@${host}`;

/** The id of the message whose mail may have this Message-ID. */
export function messageOfMailId(mailId: string): string | null {
  const [local = ''] = mailId.split('@', 1);
  return isUuid(local) ? local : null;
}
