/** The bytes that a part stands for. What is encoded in no way that is known is itself. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  return DECODERS[encoding]?.(bytes) ?? bytes;
}

const [TAB, LF, CR, BLANK, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = Int8Array.from({ length: 256 }, (_, code) => SIGNS.indexOf(String.fromCharCode(code)));

/** Signs that mean nothing are left out, and some programs end each line with its own padding. */
export function decodeBase64(bytes: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(Math.ceil((bytes.length * 3) / 4));
  let [length, bits, held] = [0, 0, 0];
  let padded: number | null = null;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const value = VALUES[byte]!;
    if (value !== -1) {
      bits = ((bits << 6) | value) & 0xffffff;
      held += 6;
      if (held >= 8) decoded[length++] = (bits >> (held -= 8)) & 0xff;
    } else if (byte === EQUALS) {
      held = 0;
      padded ??= length;
    } else if (padded !== null && byte !== CR && byte !== LF) {
      // What a mailing list has put below is no base64.
      return decoded.subarray(0, padded);
    }
  }
  return decoded.subarray(0, length);
}

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

const SHORTEST_LINE = 2;

/** Of before MIME. Each line begins with the number of its bytes, and the file is between `begin` and `end`. */
function decodeUuencode(bytes: Buffer): Buffer {
  const begin = bytes.indexOf('begin ');
  if (begin === -1) return bytes;
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = endOfLine(bytes, begin) + 1; at < bytes.length;) {
    const end = endOfLine(bytes, at);
    const line = bytes.subarray(at, end);
    if (line.toString('latin1').trimEnd() === 'end') break;
    if (line.length >= SHORTEST_LINE) length += decodeUuLine(line, decoded.subarray(length));
    at = end + 1;
  }
  return decoded.subarray(0, length);
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LF, from);
  return end === -1 ? bytes.length : end;
}

function decodeUuLine(line: Buffer, into: Buffer): number {
  const valueAt = (at: number): number => ((line[at] ?? BLANK) - BLANK) & 63;
  const length = Math.min(valueAt(0), Math.floor(((line.length - 1) * 3) / 4));
  for (let at = 0; at < length; at++) {
    const [group, shift] = [1 + Math.floor(at / 3) * 4, (at % 3) * 2];
    const [high, low] = [valueAt(group + (at % 3)), valueAt(group + (at % 3) + 1)];
    into[at] = ((high << (2 + shift)) | (low >> (4 - shift))) & 0xff;
  }
  return length;
}

const DECODERS: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = {
  base64: decodeBase64,
  'quoted-printable': decodeQuotedPrintable,
  uuencode: decodeUuencode,
  uue: decodeUuencode,
  'x-uuencode': decodeUuencode,
  'x-uue': decodeUuencode,
};
