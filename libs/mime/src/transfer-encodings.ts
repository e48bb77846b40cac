/** The bytes that a part stands for. What is encoded in no way that is known is itself. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  return DECODERS[encoding]?.(bytes) ?? bytes;
}

const [TAB, LF, CR, BLANK, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];

/** Signs that mean nothing are left out. Some programs end each line with its own padding. */
export function decodeBase64(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const padding = text.indexOf('=');
  if (padding === -1 || /^[=\s]*$/.test(text.slice(padding))) return decodeUnit(text);
  const rest = text.slice(padding).replace(/^=+/, '');
  // What a mailing list has put below is no base64.
  if (!/^[A-Za-z0-9+/=\r\n]*$/.test(rest)) return decodeUnit(text.slice(0, padding));
  return Buffer.concat(text.split('=').map((unit) => decodeUnit(unit)));
}

const decodeUnit = (text: string): Buffer => Buffer.from(text.replaceAll(/[^A-Za-z0-9+/]+/g, ''), 'base64');

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

/** Of before MIME. Each line begins with the number of its bytes. */
function decodeUuencode(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split(/\r?\n/);
  const begin = lines.findIndex((line) => /^begin(?:-base64)? [0-7]{3,4} /.test(line));
  if (begin === -1) return bytes;
  const end = lines.findIndex((line, at) => at > begin && /^end\s*$/.test(line));
  return Buffer.concat(lines.slice(begin + 1, end === -1 ? undefined : end).map((line) => decodeUuLine(line)));
}

function decodeUuLine(line: string): Buffer {
  const codes = Array.from(line, (sign) => (sign.charCodeAt(0) - 32) & 63);
  const [length = 0, ...rest] = codes;
  const decoded: number[] = [];
  for (let at = 0; at < rest.length; at += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = rest.slice(at, at + 4);
    decoded.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
  }
  return Buffer.from(decoded.slice(0, length));
}

const DECODERS: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = {
  base64: decodeBase64,
  'quoted-printable': decodeQuotedPrintable,
  uuencode: decodeUuencode,
  uue: decodeUuencode,
  'x-uuencode': decodeUuencode,
  'x-uue': decodeUuencode,
};
