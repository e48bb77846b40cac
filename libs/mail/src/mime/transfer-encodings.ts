import { decodeBase64 } from './base64.js';
import { decodeUuencode } from './uuencode.js';

/** Encodings that survive servers which change line endings. */
export const isBinarySafe = (encoding: string): boolean => DECODERS.has(encoding) && encoding !== 'quoted-printable';

/** An unknown encoding is returned unchanged. */
export const decodeTransfer = (bytes: Buffer, encoding: string): Buffer => DECODERS.get(encoding)?.(bytes) ?? bytes;

const [TAB, LF, CR, BLANK, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];

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
  const [high, low] = [digitOf(bytes[at]), digitOf(bytes[at + 1])];
  return high === -1 || low === -1 ? null : high * 16 + low;
}

const digitOf = (byte: number | undefined): number =>
  byte === undefined ? -1 : '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());

const DECODERS: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['base64', decodeBase64],
  ['quoted-printable', decodeQuotedPrintable],
  ...['uuencode', 'uue', 'x-uuencode', 'x-uue'].map((name) => [name, decodeUuencode] as const),
]);
