import { isQuotationHeader, replyText } from '#libs/payloads';
import { plainTextOf } from '#libs/tickets';

export function splitQuotation(text: string, reply: string | null): { reply: string; quoted: string } {
  const start = reply ? text.indexOf(reply) : -1;
  if (start === -1 || text.slice(0, start).trim() !== '') return { reply: text, quoted: '' };
  const end = start + reply!.length;
  const quoted = text.slice(end).trim();
  return isSignature(quoted) ? { reply: text, quoted: '' } : { reply: text.slice(0, end), quoted };
}

const isSignature = (text: string): boolean => /^-- ?\n/.test(text) && replyText(text) === text;

const SUMMARY = 'Quoted text';

export function FoldedText({ text }: { text: string }) {
  return (
    <details class="quotation">
      <summary>{SUMMARY}</summary>
      <div>{text}</div>
    </details>
  );
}

/** The length of text before a quotation that may be its header. */
const HEADER_CHARACTERS = 2000;
const QUOTATION = '<blockquote>';

/** Folds the quotation in sanitized HTML, but only below a header, because people also quote laws and poems. */
export function withFoldedQuotation(html: string): string {
  const start = html.indexOf(QUOTATION);
  if (start === -1 || !isQuotationHeader(lastLineOf(html.slice(0, start)), true)) return html;
  const end = endOfQuotation(html, start);
  const quotation = `<details class="quotation"><summary>${SUMMARY}</summary>${html.slice(start, end)}</details>`;
  return html.slice(0, start) + quotation + html.slice(end);
}

function lastLineOf(html: string): string {
  const end = html.slice(-HEADER_CHARACTERS).replaceAll(/<\/?(?:br|div|p|td|tr|li|hr)\b[^<>]*>/g, '\n');
  const lines = plainTextOf(end)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return lines.findLast((line) => line !== '') ?? '';
}

function endOfQuotation(html: string, start: number): number {
  const tags = /<(\/?)blockquote>/g;
  tags.lastIndex = start;
  let depth = 0;
  for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
    depth += tag[1] ? -1 : 1;
    if (depth === 0) return tags.lastIndex;
  }
  return html.length;
}
