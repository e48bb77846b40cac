import { beginsQuotationHeader, isForwarding, isQuotationBlock, isQuotationHeader } from './quotation-header.js';

/** Only this much of a text is parsed, because pages show many messages. People write less. In characters. */
const MAX_PARSED = 50_000;
const MAX_LINES = 1000;
/** Mail programs wrap long headers. In lines. */
const MAX_HEADER_LINES = 4;
/** Many programs strip the trailing space. */
const SIGNATURE = /^-- ?$/;
/** A line of dashes above a quotation or the footer of a mailing list. */
const RULE = /^\s{0,9}(?:-{5,}|_{2,}|={4,})\s{0,9}$/;
const QUOTED = /^\s*>/;

/**
 * Removes the quoted message and the signature from the text of a reply. Keeps the whole text unless a line certainly begins
 * a quotation, so inline replies and forwarded messages stay complete.
 */
export function replyText(text: string): string {
  const lines = text.slice(0, MAX_PARSED).split(/\r?\n/);
  const quotation = quotationIn(lines);
  const isParsedWhole = text.length <= MAX_PARSED;
  if (quotation === null) return isParsedWhole ? withoutSignature(lines) : text;
  const [before, after] = [lines.slice(0, quotation.start), lines.slice(quotation.end)];
  // The quotation may end below the parsed part, with a reply after it.
  if (!isParsedWhole && isQuotedAt(after, 0)) return text;
  const answer = afterQuotation(after);
  if (answer === null) return isBlank(before) ? text : withoutSignature(before);
  // Inline replies make no sense without the quotation.
  return isBlank(before) && !answer.some((line) => QUOTED.test(line)) ? withoutSignature(answer) : text;
}

function quotationIn(lines: readonly string[]): { start: number; end: number } | null {
  for (const [start, line] of lines.slice(0, MAX_LINES).entries()) {
    if (isForwarding(line)) return null;
    if (isQuotationBlock(lines, start)) return { start, end: lines.length };
    const height = heightOfHeader(lines, start);
    if (height > 0) return { start, end: start + height };
  }
  return null;
}

function heightOfHeader(lines: readonly string[], start: number): number {
  for (let height = 1; height <= MAX_HEADER_LINES; height++) {
    const last = lines[start + height - 1]?.trim() ?? '';
    if (last === '' || (height > 1 && !beginsQuotationHeader(lines[start]!.trim()))) return 0;
    if (!/[:：]$/.test(last)) continue;
    const isQuoted = isQuotedAt(lines, start + height);
    // The line is a complete header; the one above only looks like the beginning of one.
    if (height > 1 && beginsQuotationHeader(last) && isQuotationHeader(last, isQuoted)) return 0;
    const header = lines
      .slice(start, start + height)
      .join(' ')
      .trim();
    return isQuotationHeader(header, isQuoted) ? height : 0;
  }
  return 0;
}

const isQuotedAt = (lines: readonly string[], start: number): boolean =>
  QUOTED.test(lines.slice(start, start + 3).find((line) => line.trim() !== '') ?? '');

/** The text below a quotation, or null. A quotation without `>` extends to the end. */
function afterQuotation(lines: readonly string[]): string[] | null {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1 || !QUOTED.test(lines[first]!)) return null;
  const end = lines.findIndex((line, at) => at > first && line.trim() !== '' && !isQuotedOrCut(lines, at));
  const answer = end === -1 ? [] : lines.slice(end);
  return answer.length === 0 || SIGNATURE.test(answer[0]!) || RULE.test(answer[0]!) ? null : answer;
}

/** Programs wrap long quoted lines, without `>` before the rest. */
const LONG_LINE = 60;
const isQuotedOrCut = (lines: readonly string[], at: number): boolean =>
  QUOTED.test(lines[at]!) || (QUOTED.test(lines[at - 1]!) && lines[at - 1]!.length >= LONG_LINE);

function withoutSignature(lines: readonly string[]): string {
  const start = lines.findIndex((line) => SIGNATURE.test(line));
  const kept = start === -1 || isBlank(lines.slice(0, start)) ? lines : lines.slice(0, start);
  const last = kept.findLastIndex((line) => line.trim() !== '' && !RULE.test(line));
  return kept
    .slice(0, last + 1)
    .join('\n')
    .trim();
}

const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === '');
