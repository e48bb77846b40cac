import { beginsQuotationHeader, isForwarding, isQuotationBlock, isQuotationHeader } from './quotation-header.js';

/** Enough for what a person writes. Further down nothing is looked for, so that a list of messages costs little. */
const MAX_LOOKED_AT = 50_000;
const MAX_LINES = 1000;
/** Of lines, in which programs cut a header that is long. */
const MAX_HEADER = 4;
/** Many programs lose the space. */
const SIGNATURE = /^-- ?$/;
/** Above the quotation, or above what a mailing list adds. */
const RULE = /^\s{0,9}(?:-{5,}|_{2,}|={4,})\s{0,9}$/;
const QUOTED = /^\s*>/;

/**
 * What somebody has written anew, without the message below it that it answers. Only below a line that surely begins a
 * quotation is anything left out, so that what is between quotations stays, and so does a message that is forwarded.
 */
export function replyText(text: string): string {
  const lines = text.slice(0, MAX_LOOKED_AT).split(/\r?\n/);
  const quotation = quotationIn(lines);
  const isLookedAt = text.length <= MAX_LOOKED_AT;
  if (quotation === null) return isLookedAt ? withoutSignature(lines) : text;
  const [before, after] = [lines.slice(0, quotation.start), lines.slice(quotation.end)];
  // Where it ends may be further down, and an answer below it.
  if (!isLookedAt && isQuotedAt(after, 0)) return text;
  const answer = afterQuotation(after);
  if (answer === null) return isBlank(before) ? text : withoutSignature(before);
  // Below the quotation, or between its lines, where one cannot be read without the other.
  return isBlank(before) && !answer.some((line) => QUOTED.test(line)) ? withoutSignature(answer) : text;
}

interface Found {
  readonly start: number;
  readonly end: number;
}

function quotationIn(lines: readonly string[]): Found | null {
  for (const [start, line] of lines.slice(0, MAX_LINES).entries()) {
    if (isForwarding(line)) return null;
    if (isQuotationBlock(lines, start)) return { start, end: lines.length };
    const height = heightOfHeader(lines, start);
    if (height > 0) return { start, end: start + height };
  }
  return null;
}

function heightOfHeader(lines: readonly string[], start: number): number {
  for (let height = 1; height <= MAX_HEADER; height++) {
    const last = lines[start + height - 1]?.trim() ?? '';
    if (last === '' || (height > 1 && !beginsQuotationHeader(lines[start]!.trim()))) return 0;
    if (!/[:：]$/.test(last)) continue;
    const isQuoted = isQuotedAt(lines, start + height);
    // A header of its own, below a line that looks like the beginning of one.
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

/** What somebody wrote below what they quoted, or null. Without signs before its lines a quotation goes on to the end. */
function afterQuotation(lines: readonly string[]): string[] | null {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1 || !QUOTED.test(lines[first]!)) return null;
  const end = lines.findIndex((line, at) => at > first && line.trim() !== '' && !isQuotedOrCut(lines, at));
  const answer = end === -1 ? [] : lines.slice(end);
  return answer.length === 0 || SIGNATURE.test(answer[0]!) || RULE.test(answer[0]!) ? null : answer;
}

/** The end of a long quoted line goes to the next one, without a sign before it. */
const LONG_LINE = 60;
const isQuotedOrCut = (lines: readonly string[], at: number): boolean =>
  QUOTED.test(lines[at]!) || (QUOTED.test(lines[at - 1]!) && lines[at - 1]!.length >= LONG_LINE);

function withoutSignature(lines: readonly string[]): string {
  const start = lines.findIndex((line) => SIGNATURE.test(line));
  const said = start === -1 || isBlank(lines.slice(0, start)) ? lines : lines.slice(0, start);
  const last = said.findLastIndex((line) => line.trim() !== '' && !RULE.test(line));
  return said
    .slice(0, last + 1)
    .join('\n')
    .trim();
}

const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === '');
