import { decode as decodeQp } from 'libqp';
import { decodeBase64 } from './base64.js';
import { decodeUuencode } from './uuencode.js';

/** Whether the bytes survive servers that change line endings. */
export const isBinarySafe = (encoding: string): boolean => DECODERS.has(encoding) && encoding !== 'quoted-printable';

/** Decodes a body. One in an unknown encoding is returned unchanged. */
export const decodeTransfer = (bytes: Buffer, encoding: string): Buffer => DECODERS.get(encoding)?.(bytes) ?? bytes;

const LF = 0x0a;
/** Libqp needs a gigabyte for 50 MB of lines that end in blanks, so a body is decoded in pieces of whole lines. */
const MIN_PIECE_BYTES = 1024 * 1024;

function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf(LF, at + MIN_PIECE_BYTES);
    const next = lineEnd === -1 ? bytes.length : lineEnd + 1;
    pieces.push(decodeQp(bytes.subarray(at, next)));
    at = next;
  }
  return Buffer.concat(pieces);
}

const DECODERS: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['base64', decodeBase64],
  ['quoted-printable', decodeQuotedPrintable],
  ...['uuencode', 'uue', 'x-uuencode', 'x-uue'].map((name) => [name, decodeUuencode] as const),
]);
