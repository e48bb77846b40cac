import { createHash } from 'node:crypto';

/** What an index keeps well. A longer one is known by its hash. */
const LONGEST = 200;
const MOST = 200;

// oxlint-disable-next-line no-control-regex
const NO_SIGNS = /[\s\u0000]/g;

/** The ids in a Message-ID, In-Reply-To or References, in their order. What stands between them means nothing. */
export function mailIdsIn(header: string | undefined): string[] {
  const [before = '', ...pieces] = (header ?? '').split('<', MOST + 1);
  // Some programs leave out the signs around a single one.
  const ids = (pieces.length > 0 ? pieces : [before]).map((piece) => piece.split('>', 1)[0]!.replaceAll(NO_SIGNS, ''));
  return ids.filter((id) => id !== '').map((id) => (id.length > LONGEST ? `sha256:${sha256(id)}` : id));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** For a mail without an id of its own: the same content is the same mail. */
export const mailIdOfContent = (contentHash: string): string => `content:${contentHash}`;
