import { isQuotationHeader, replyText } from '#libs/payloads';

/** A text in two: what is new in it, and what it answers, which is folded. */
export function splitQuotation(text: string, reply: string | null): { readonly said: string; readonly quoted: string } {
  const start = reply ? text.indexOf(reply) : -1;
  if (start === -1 || text.slice(0, start).trim() !== '') return { said: text, quoted: '' };
  const end = start + reply!.length;
  const quoted = text.slice(end).trim();
  return isSignature(quoted) ? { said: text, quoted: '' } : { said: text.slice(0, end), quoted };
}

/** With no quotation below it. */
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

/** As much of what is before a quotation as its header can be long. */
const HEADER_CHARACTERS = 2000;
const QUOTATION = '<blockquote>';

/**
 * Folds what a mail quotes, in HTML that the sanitizer has written. Only what stands below a line that surely begins a
 * quotation: people quote laws and poems as well.
 */
export function withFoldedQuotation(html: string): string {
  const start = html.indexOf(QUOTATION);
  if (start === -1 || !isQuotationHeader(lastLineOf(html.slice(0, start)), true)) return html;
  const end = endOfQuotation(html, start);
  const quotation = `<details class="quotation"><summary>${SUMMARY}</summary>${html.slice(start, end)}</details>`;
  return html.slice(0, start) + quotation + html.slice(end);
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

function lastLineOf(html: string): string {
  const end = html.slice(-HEADER_CHARACTERS).replaceAll(/<\/?(?:br|div|p|td|tr|li|hr)\b[^<>]*>/g, '\n');
  const text = end.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!);
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return lines.findLast((line) => line !== '') ?? '';
}

/** Quotations have quotations in them. */
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
