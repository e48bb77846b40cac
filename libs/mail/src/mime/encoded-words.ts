import { decodeCharset } from './charsets/decode-charset.js';
import { decodeBase64 } from './base64.js';
import { decodeQuotedPrintable } from './transfer-encodings.js';

interface Word {
  readonly charset: string;
  readonly encoding: 'b' | 'q';
  readonly text: string;
}

const BEGINNING = /=\?([^?\s]{1,100})\?([bq])\?/gi;
const END = '?=';

/** A value with its encoded words decoded (RFC 2047). Between two of them a space means nothing. */
export function decodeWords(value: string): string {
  const pieces: string[] = [];
  let words: Word[] = [];
  let copied = 0;
  for (const { word, start, end } of wordsIn(value)) {
    const between = value.slice(copied, start);
    if (words.length === 0 || between.trim() !== '') {
      pieces.push(textOf(words), between);
      words = [];
    }
    words.push(word);
    copied = end;
  }
  pieces.push(textOf(words), value.slice(copied));
  return pieces.join('');
}

function* wordsIn(value: string): Generator<{ readonly word: Word; readonly start: number; readonly end: number }> {
  BEGINNING.lastIndex = 0;
  for (let begun = BEGINNING.exec(value); begun; begun = BEGINNING.exec(value)) {
    const from = begun.index + begun[0].length;
    const to = value.indexOf(END, from);
    if (to === -1) return;
    // The language after the asterisk (RFC 2231) is for nobody here.
    const charset = begun[1]!.split('*', 1)[0]!;
    const encoding = begun[2]!.toLowerCase() as Word['encoding'];
    yield { word: { charset, encoding, text: value.slice(from, to) }, start: begun.index, end: to + END.length };
    BEGINNING.lastIndex = to + END.length;
  }
}

/** Each charset of its own is read at once: many programs cut a letter in two, and leave its bytes to two words. */
function textOf(words: readonly Word[]): string {
  const runs: Word[][] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.[0]!.charset.toLowerCase() === word.charset.toLowerCase()) last.push(word);
    else runs.push([word]);
  }
  return runs.map((run) => textOfRun(run)).join('');
}

/** Their words end in the middle of something, and the next begins anew. */
const WITH_STATES = /utf-?7|hz/i;

function textOfRun(run: readonly Word[]): string {
  const { charset } = run[0]!;
  const each = (): string => run.map((word) => decodeCharset(bytesOf([word]), charset)).join('');
  if (run.length === 1 || WITH_STATES.test(charset)) return each();
  const joined = decodeCharset(bytesOf(run), charset);
  return joined.includes('\ufffd') ? betterOf(each(), joined) : joined;
}

const betterOf = (one: string, other: string): string => (lossOf(one) < lossOf(other) ? one : other);
const lossOf = (text: string): number => text.split('\ufffd').length;

/** Base64 too can be cut anywhere, so that the next word continues a group of four. */
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
    if (encoding === 'q') pieces.push(decodeQuotedPrintable(Buffer.from(text.replaceAll('_', ' '))));
  }
  return Buffer.concat([...pieces, decodeBase64(Buffer.from(open, 'latin1'))]);
}
