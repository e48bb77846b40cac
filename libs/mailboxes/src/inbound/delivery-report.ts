import type { MailFile } from './mail-files.js';

/** Of a report that a server writes, a few lines. */
const MAX_BYTES = 64 * 1024;
const MAX_REASON = 300;

/** What a server says that could not deliver a mail, or was late with it (RFC 3464). */
export interface DeliveryReport {
  /** In its words, if it has given up. Null for one that still tries, and for one that delivered. */
  readonly failure: string | null;
}

/** The report in a mail, or null if it is none. */
export function deliveryReportIn(files: readonly Pick<MailFile, 'type' | 'content'>[]): DeliveryReport | null {
  const part = files.find(({ type }) => type.toLowerCase() === 'message/delivery-status');
  if (!part) return null;
  const failed = blocksOf(new TextDecoder().decode(part.content.subarray(0, MAX_BYTES))).find(
    (fields) => fields.get('action')?.toLowerCase() === 'failed',
  );
  return { failure: failed ? reasonOf(failed) : null };
}

type Fields = ReadonlyMap<string, string>;

/** One block for the mail, and one for each recipient. A line that begins with a space belongs to the one before. */
function blocksOf(text: string): Fields[] {
  const blocks: Map<string, string>[] = [new Map()];
  let last = '';
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const fields = blocks.at(-1)!;
    const colon = line.indexOf(':');
    if (line.trim() === '') blocks.push(new Map());
    else if (/^[ \t]/.test(line)) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`);
    else if (colon > 0) fields.set((last = line.slice(0, colon).trim().toLowerCase()), line.slice(colon + 1).trim());
  }
  return blocks;
}

/** What the server further on had said, or at least its code: `smtp; 550 5.1.1 No such user`. */
function reasonOf(fields: Fields): string {
  const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^[^;]{0,40};/, '');
  // oxlint-disable-next-line no-control-regex
  const words = (diagnostic || (fields.get('status') ?? '')).replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return words.slice(0, MAX_REASON) || 'The mail could not be delivered.';
}
