import type { MailFile } from './mail-parts.js';

/** A delivery report is a few lines. */
const MAX_REPORT_BYTES = 64 * 1024;
const MAX_REASON_CHARACTERS = 300;

interface DeliveryReport {
  /** Null for a report of a delay or a success. */
  readonly failure: string | null;
}

/** RFC 3464. Null if there is no report. */
export function deliveryReportIn(files: readonly Pick<MailFile, 'type' | 'content'>[]): DeliveryReport | null {
  const part = files.find(({ type }) => type.toLowerCase() === 'message/delivery-status');
  if (!part) return null;
  const blocks = blocksOf(new TextDecoder().decode(part.content.subarray(0, MAX_REPORT_BYTES)));
  const failed = blocks.find((fields) => fields.get('action')?.toLowerCase() === 'failed');
  return { failure: failed ? reasonOf(failed) : null };
}

type Fields = ReadonlyMap<string, string>;

/** One block for the mail and one for each recipient. A leading blank continues a line. */
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

/** The remote server’s response (`smtp; 550 5.1.1 No such user`), or else the status code. */
function reasonOf(fields: Fields): string {
  const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^[^;]{0,40};/, '');
  // oxlint-disable-next-line no-control-regex
  const words = (diagnostic || (fields.get('status') ?? '')).replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  return words.slice(0, MAX_REASON_CHARACTERS) || 'The mail could not be delivered.';
}
