import { BLANK, CR, LF } from './ascii.js';

/** The backquote stands for a blank. */
const LAST_SIGN = 0x60;
const BEGIN = 'begin ';
const MAX_END = 10;
/** Some programs add a checksum. */
const MAX_EXTRA_SIGNS = 2;

interface UuencodedFile {
  /** Raw, in the charset of the text around it. */
  readonly name: Buffer;
  readonly content: Buffer;
}

/** Predates MIME. Lines between `begin` and `end` start with their number of bytes. */
export function decodeUuencode(bytes: Buffer): Buffer {
  const begin = bytes.indexOf(BEGIN);
  return begin === -1 ? bytes : decodeLines(bytes, endOfLine(bytes, begin) + 1);
}

/** Blanks at the end of a line stand for zeros and may be missing. Limits the growth by them. */
const MAX_GROWTH = 2;

function decodeLines(bytes: Buffer, start: number): Buffer {
  const decoded = Buffer.allocUnsafe((bytes.length - start) * MAX_GROWTH);
  let length = 0;
  for (const { line } of linesOf(bytes, start)) {
    if (isEnd(line)) break;
    length += decodeLine(line, decoded.subarray(length));
  }
  return decoded.subarray(0, length);
}

function* linesOf(bytes: Buffer, start: number): Generator<{ readonly line: Buffer; readonly next: number }> {
  for (let at = start; at < bytes.length;) {
    const end = endOfLine(bytes, at);
    const next = Math.min(end + 1, bytes.length);
    yield { line: bytes.subarray(at, bytes[end - 1] === CR ? end - 1 : end), next };
    at = next;
  }
}

/** Bounds the lines tried as the first line of a file. */
const MAX_BEGINNINGS = 1000;

/** A line of a file cannot look like a first line, so no byte is searched twice. */
export function splitUuencoded(text: Buffer, most: number): { readonly text: Buffer; readonly files: UuencodedFile[] } {
  const files: UuencodedFile[] = [];
  const kept: Buffer[] = [];
  let begun = 0;
  let at = text.indexOf(BEGIN);
  for (let tried = 0; at !== -1 && tried < MAX_BEGINNINGS && files.length < most; tried++) {
    const file = at === 0 || text[at - 1] === LF ? fileAt(text, at) : null;
    if (file) {
      files.push(file);
      kept.push(text.subarray(begun, at));
      begun = file.next;
    }
    at = text.indexOf(BEGIN, file?.next ?? at + BEGIN.length);
  }
  return files.length === 0 ? { text, files } : { text: Buffer.concat([...kept, text.subarray(begun)]), files };
}

function fileAt(text: Buffer, start: number): (UuencodedFile & { readonly next: number }) | null {
  const name = nameIn(text, start);
  if (!name) return null;
  const first = endOfLine(text, start) + 1;
  let size = 0;
  for (const { line, next } of linesOf(text, first)) {
    if (isEnd(line)) return { name, content: decodeLines(text.subarray(0, next), first), next };
    size += lengthOf(line);
    if (!isDataLine(line) || size > (next - first) * MAX_GROWTH) return null;
  }
  return null;
}

const MAX_BEGIN = 300;

function nameIn(text: Buffer, start: number): Buffer | null {
  const line = text.toString('latin1', start, Math.min(endOfLine(text, start), start + MAX_BEGIN));
  const name = /^begin [0-7]{3,4} (.+)/.exec(line)?.[1]?.trim() ?? '';
  return name === '' ? null : Buffer.from(name, 'latin1');
}

/** Blanks at its end may be missing. */
function isDataLine(line: Buffer): boolean {
  if (line.length > 1 + Math.ceil(lengthOf(line) / 3) * 4 + MAX_EXTRA_SIGNS) return false;
  return line.every((byte) => byte >= BLANK && byte <= LAST_SIGN);
}

const isEnd = (line: Buffer): boolean => line.length < MAX_END && line.toString('latin1').trimEnd() === 'end';

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LF, from);
  return end === -1 ? bytes.length : end;
}

const valueAt = (line: Buffer, at: number): number => ((line[at] ?? BLANK) - BLANK) & 63;
const lengthOf = (line: Buffer): number => valueAt(line, 0);

function decodeLine(line: Buffer, into: Buffer): number {
  const length = Math.min(lengthOf(line), into.length);
  for (let at = 0; at < length; at++) {
    const group = 1 + Math.floor(at / 3) * 4;
    const shift = (at % 3) * 2;
    const high = valueAt(line, group + (at % 3));
    const low = valueAt(line, group + (at % 3) + 1);
    into[at] = ((high << (2 + shift)) | (low >> (4 - shift))) & 0xff;
  }
  return length;
}
