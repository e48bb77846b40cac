import { decodeBase64 } from './base64.js';
import { decodeUuencode } from './uuencode.js';

/** Whether the bytes survive servers that change the ends of lines. */
export const isBinarySafe = (encoding: string): boolean => DECODERS.has(encoding) && encoding !== 'quoted-printable';

/** The bytes that a part stands for. What is encoded in no way that is known is itself. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  return DECODERS.get(encoding)?.(bytes) ?? bytes;
}

const [TAB, LF, CR, BLANK, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];

/** What is no code stands for itself. Spaces at the end of a line came on the way, and a sign of equality there joins it with the next. */
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
  ['uuencode', decodeUuencode],
  ['uue', decodeUuencode],
  ['x-uuencode', decodeUuencode],
  ['x-uue', decodeUuencode],
]);
