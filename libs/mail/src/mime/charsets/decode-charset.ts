import iconv from 'iconv-lite';
import { namesOfCharset } from './charset-name.js';
import { decodeHz, decodeIso2022 } from './seven-bit.js';

type Decode = (bytes: Buffer) => string;

/** TextDecoder lacks these or decodes them wrongly. */
const OWN: ReadonlyMap<string, Decode> = new Map([
  ['utf-8', decodeUtf8],
  // TextDecoder’s name for us-ascii and iso-8859-1 too.
  ['windows-1252', guess],
  ['iso-2022', decodeIso2022],
  ['hz-gb-2312', decodeHz],
]);

/**
 * TextDecoder ignores the byte order of UTF-16. In Node 20 it lacks the Hong Kong part of Big5 and most Korean
 * syllables.
 */
const BY_ICONV = new Set(['utf-16', 'utf-32', 'utf-7', 'big5', 'euc-kr']);
/** iconv-lite knows these, but they are not charsets. */
const NOT_CHARSETS = new Set(['binary', 'base64', 'hex']);

/** Bounds memory, since an email can invent names. */
const MAX_CACHED = 500;
const cache = new Map<string, Decode>();

export function decodeCharset(bytes: Uint8Array, label: string | undefined): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return decoderOf(label ?? '')(buffer);
}

function decoderOf(label: string): Decode {
  const cached = cache.get(label);
  if (cached) return cached;
  const found = findDecoder(label);
  if (cache.size < MAX_CACHED) cache.set(label, found);
  return found;
}

function findDecoder(label: string): Decode {
  for (const name of namesOfCharset(label)) {
    const decode = decoderNamed(name);
    if (decode) return decode;
  }
  return guess;
}

function decoderNamed(name: string): Decode | null {
  const native = BY_ICONV.has(name) ? null : nativeDecoder(name);
  const own = OWN.get(native?.encoding ?? name);
  if (own) return own;
  if (native) return orUtf8((bytes) => native.decode(bytes));
  if (NOT_CHARSETS.has(name) || name.startsWith('_') || !iconv.encodingExists(name)) return null;
  return orUtf8((bytes) => iconv.decode(bytes, name));
}

/** Falls back to UTF-8 if bytes are invalid in the named charset. */
const orUtf8 =
  (decode: Decode): Decode =>
  (bytes) => {
    const text = decode(bytes);
    return text.includes('\ufffd') ? (strictUtf8(bytes) ?? text) : text;
  };

function nativeDecoder(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name);
  } catch {
    return null;
  }
}

/** Programs that do not know the charset name none, Latin or ASCII. */
function guess(bytes: Buffer): string {
  if (isIso2022(bytes)) return decodeIso2022(bytes);
  return strictUtf8(bytes) ?? decodeWindows1252(bytes);
}

/** Japanese and Korean in seven bits. ASCII has none. */
const ESCAPES = ['\u001b$B', '\u001b$@', '\u001b$)C', '\u001b$(B'];
const isIso2022 = (bytes: Buffer): boolean => bytes.includes(0x1b) && ESCAPES.some((escape) => bytes.includes(escape));

const strict = new TextDecoder('utf-8', { fatal: true });
const tolerant = new TextDecoder('utf-8');

/** Bytes are seldom UTF-8 by accident. */
export function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Mostly invalid UTF-8 is windows-1252. */
function decodeUtf8(bytes: Buffer): string {
  const text = tolerant.decode(bytes);
  return isMostlyBroken(text) ? decodeWindows1252(bytes) : text;
}

/** One replacement sign, from a letter that a server split, is not enough. */
function isMostlyBroken(text: string): boolean {
  if (!text.includes(REPLACEMENT)) return false;
  let broken = 0;
  let valid = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken++;
    else if (code > 0x7f) valid++;
  }
  return broken > valid;
}

const REPLACEMENT = '\ufffd';

/** Emails never mean the control characters of ISO 8859-1. */
const UPPER_CONTROLS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node 20 decodes it as ISO 8859-1, which loses quotation marks and euro signs. */
const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\u0080-\u009f]/g, (sign) => UPPER_CONTROLS[sign.charCodeAt(0) - 0x80]!);
