import { decodeBase64, decodeQuotedPrintable } from './transfer-encodings.js';
import { decodeCharset } from './charsets/decode-charset.js';

interface Word {
  readonly charset: string;
  readonly encoding: 'b' | 'q';
  readonly text: string;
}

const BEGINNING = /=\?([^?\s]{1,100})\?([bq])\?/gi;
const END = '?=';

/**
 * RFC 2047. Drops blanks between words. Libmime leaves a word with an unencoded question mark or a dot in its charset,
 * and joins words of UTF-7 and HZ.
 */
export function decodeWords(value: string): string {
  const pieces: string[] = [];
  let words: Word[] = [];
  let copied = 0;
  for (const { word, start, end } of wordsIn(value)) {
    const between = value.slice(copied, start);
    if (words.length === 0 || between.trim() !== '') {
      pieces.push(decodeRow(words), between);
      words = [];
    }
    words.push(word);
    copied = end;
  }
  pieces.push(decodeRow(words), value.slice(copied));
  return pieces.join('');
}

function* wordsIn(value: string): Generator<{ readonly word: Word; readonly start: number; readonly end: number }> {
  BEGINNING.lastIndex = 0;
  for (let begun = BEGINNING.exec(value); begun; begun = BEGINNING.exec(value)) {
    const from = begun.index + begun[0].length;
    const to = value.indexOf(END, from);
    if (to === -1) return;
    // A language may follow the charset (RFC 2231).
    const charset = begun[1]!.split('*', 1)[0]!.toLowerCase();
    const encoding = begun[2]!.toLowerCase() as Word['encoding'];
    yield { word: { charset, encoding, text: value.slice(from, to) }, start: begun.index, end: to + END.length };
    BEGINNING.lastIndex = to + END.length;
  }
}

/** Many programs split a letter between words. */
function decodeRow(words: readonly Word[]): string {
  const runs: Word[][] = [];
  for (const word of words) {
    if (runs.at(-1)?.[0]!.charset === word.charset) runs.at(-1)!.push(word);
    else runs.push([word]);
  }
  return runs.map(decodeRun).join('');
}

/** Each word ends in the initial state, so joined words would be misread. */
const STATEFUL = /utf-?7|hz/;

function decodeRun(run: readonly Word[]): string {
  const { charset } = run[0]!;
  const decodeEach = (): string => run.map((word) => decodeCharset(bytesOf([word]), charset)).join('');
  if (run.length === 1 || STATEFUL.test(charset)) return decodeEach();
  const joined = decodeCharset(bytesOf(run), charset);
  if (!joined.includes('\ufffd')) return joined;
  const apart = decodeEach();
  return countLosses(apart) < countLosses(joined) ? apart : joined;
}

const countLosses = (text: string): number => text.split('\ufffd').length;

/** Base64 can be split within a group of four. */
function bytesOf(words: readonly Word[]): Buffer {
  const pieces: Buffer[] = [];
  let open = '';
  for (const { encoding, text } of words) {
    if (encoding === 'b') {
      open += text;
      if (!text.endsWith('=') && open.length % 4 !== 0) continue;
    }
    pieces.push(decodeBase64(Buffer.from(open, 'latin1')));
    open = '';
    if (encoding === 'q') pieces.push(decodeQWord(text));
  }
  return Buffer.concat([...pieces, decodeBase64(Buffer.from(open, 'latin1'))]);
}

export const decodeQWord = (text: string): Buffer => decodeQuotedPrintable(Buffer.from(text.replaceAll('_', ' ')));
