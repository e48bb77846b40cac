import { BLANK, CR, EQUALS, LF, TAB } from './ascii.js';
import { strictUtf8 } from './charsets/decode-charset.js';
import { decodeUuencode } from './uuencode.js';

/** Encodings that survive servers which change line endings. */
export const isBinarySafe = (encoding: string): boolean => DECODERS.has(encoding) && encoding !== 'quoted-printable';

/** An unknown encoding is returned unchanged. */
export const decodeTransfer = (bytes: Buffer, encoding: string): Buffer => DECODERS.get(encoding)?.(bytes) ?? bytes;

/**
 * RFC 2045. An invalid code stands for itself; blanks at the end of a line are dropped. One pass over the bytes: libqp
 * takes ten times as long, and a gigabyte for 50 MB of lines that end in blanks.
 */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === BLANK || byte === TAB) {
      const after = endOfBlanks(bytes, at);
      const isLineEnd = bytes[after] === CR || bytes[after] === LF;
      if (!isLineEnd) length += bytes.copy(decoded, length, at, after);
      at = after;
    } else if (byte !== EQUALS) {
      decoded[length++] = byte;
      at++;
    } else {
      const code = codeAt(bytes, at + 1);
      const joined = code === null ? endOfSoftBreak(bytes, at + 1) : at + 3;
      if (code !== null) decoded[length++] = code;
      else if (joined === null) decoded[length++] = EQUALS;
      at = joined ?? at + 1;
    }
  }
  return decoded.subarray(0, length);
}

function endOfBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === BLANK || bytes[at] === TAB) at++;
  return at;
}

function endOfSoftBreak(bytes: Buffer, from: number): number | null {
  const at = endOfBlanks(bytes, from);
  if (at >= bytes.length) return at;
  if (bytes[at] === LF) return at + 1;
  if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : at + 1;
  return null;
}

function codeAt(bytes: Buffer, at: number): number | null {
  const high = digitOf(bytes[at]);
  const low = digitOf(bytes[at + 1]);
  return high === -1 || low === -1 ? null : high * 16 + low;
}

const digitOf = (byte: number | undefined): number =>
  byte === undefined ? -1 : '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = Int8Array.from({ length: 256 }, (_, code) => SIGNS.indexOf(String.fromCharCode(code)));

/** Libbase64 takes seconds if every second character is padding, and knows no footers. */
export const decodeBase64 = (bytes: Buffer): Buffer => readBase64(bytes).decoded;

/** Text that is only labelled base64 is returned unchanged. */
export function decodeBase64Text(bytes: Buffer, charset: string | undefined): Buffer {
  const read = readBase64(bytes);
  return isText(read.decoded, charset) && !isProse(bytes, read) ? read.decoded : bytes;
}

interface Base64 {
  readonly decoded: Buffer;
  /** A mailing list’s footer may follow the base64. */
  readonly end: number;
}

/** Skips other characters. Some programs pad each line. */
function readBase64(bytes: Buffer): Base64 {
  const decoded = Buffer.allocUnsafe(Math.ceil((bytes.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  let padded: { readonly decoded: number; readonly end: number } | null = null;
  let line = { start: 0, decoded: 0 };
  let isOdd = false;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? LF;
    const value = VALUES[byte]!;
    if (value !== -1) {
      bits = ((bits << 6) | value) & 0xffffff;
      held += 6;
      if (held >= 8) decoded[length++] = (bits >> (held -= 8)) & 0xff;
    } else if (byte === LF) {
      if (isOdd && line.decoded > 0 && isForeign(bytes, line.start, at))
        return { decoded: decoded.subarray(0, line.decoded), end: line.start };
      line = { start: at + 1, decoded: length };
      isOdd = false;
    } else if (byte === EQUALS) {
      held = 0;
      padded ??= { decoded: length, end: at };
    } else if (byte !== CR) {
      if (padded !== null) return { decoded: decoded.subarray(0, padded.decoded), end: padded.end };
      isOdd ||= !isLineEnd(bytes[at + 1]);
    }
  }
  return { decoded: decoded.subarray(0, length), end: bytes.length };
}

const isLineEnd = (byte: number | undefined): boolean => byte === undefined || byte === CR || byte === LF;

/** Base64 lines have few blanks and few other characters. A footer has more. */
const MIN_SIGNS_PER_BLANK = 20;
const MIN_SIGNS_PER_NOISE = 4;

const isForeign = (bytes: Buffer, start: number, end: number): boolean => {
  const { signs, blanks, noise } = countSigns(bytes, start, end);
  return blanks * MIN_SIGNS_PER_BLANK > signs || noise * MIN_SIGNS_PER_NOISE > signs;
};

function countSigns(bytes: Buffer, start: number, end: number) {
  let signs = 0;
  let blanks = 0;
  let noise = 0;
  let isBegun = false;
  let isAfterBlank = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === LF) {
      isBegun = false;
      isAfterBlank = false;
    } else if (byte === BLANK || byte === TAB) isAfterBlank = isBegun;
    else if (byte !== CR) {
      if (isAfterBlank) blanks++;
      if (VALUES[byte] !== -1 || byte === EQUALS) signs++;
      else noise++;
      isBegun = true;
      isAfterBlank = false;
    }
  }
  return { signs, blanks, noise };
}

/** Enough to detect whether the text was encoded. */
const MAX_CHECKED_BYTES = 64 * 1024;
const MAX_CONTROL_SHARE = 1 / 20;

/** Bytes that were never encoded decode to control characters. */
function isText(decoded: Buffer, charset = ''): boolean {
  if (/^(?:utf-?(?:16|32)|ucs|iso-10646|unicode)/i.test(charset)) return true;
  const beginning = decoded.subarray(0, MAX_CHECKED_BYTES);
  let controls = 0;
  for (const byte of beginning) if (isControl(byte)) controls++;
  return controls <= beginning.length * MAX_CONTROL_SHARE;
}

/** Text has NUL and the shift characters of ISO-2022. */
const isControl = (byte: number): boolean =>
  (byte > 0x00 && byte < 0x08) || (byte > 0x0f && byte < 0x20 && byte !== 0x1b);

/** Prose has blanks and punctuation, or words alone. */
function isProse(bytes: Buffer, { decoded, end }: Base64): boolean {
  const { signs, blanks, noise } = countSigns(bytes, 0, Math.min(end, MAX_CHECKED_BYTES));
  if (noise > signs) return true;
  const isOdd = (blanks + noise) * MIN_SIGNS_PER_BLANK > signs || areWords(bytes.subarray(0, end));
  return signs > 0 && isOdd && !beginsAsUtf8(decoded);
}

const MAX_WORDS_BYTES = 200;

/** Base64 has capitals or digits within words. */
const areWords = (bytes: Buffer): boolean =>
  bytes.length < MAX_WORDS_BYTES &&
  bytes
    .toString('latin1')
    .trim()
    .split(/\s+/)
    .every((word) => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(word));

function beginsAsUtf8(bytes: Buffer): boolean {
  let end = Math.min(bytes.length, MAX_CHECKED_BYTES);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return strictUtf8(bytes.subarray(0, end)) !== null;
}

const DECODERS: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['base64', decodeBase64],
  ['quoted-printable', decodeQuotedPrintable],
  ...['uuencode', 'uue', 'x-uuencode', 'x-uue'].map((name) => [name, decodeUuencode] as const),
]);
