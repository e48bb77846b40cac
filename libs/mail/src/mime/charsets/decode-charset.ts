import iconv from 'iconv-lite';
import { namesOfCharset } from './charset-name.js';
import { decodeHz } from './hz-gb-2312.js';
import { decodeIso2022 } from './iso-2022.js';
import { decodeUtf8, strictUtf8 } from './utf-8.js';
import { decodeWindows1252 } from './windows-1252.js';

type Decode = (bytes: Buffer) => string;

/** Those that TextDecoder does not have, or has wrongly. */
const OWN: Readonly<Record<string, Decode | undefined>> = {
  'utf-8': decodeUtf8,
  // So TextDecoder calls us-ascii, iso-8859-1 and their many names as well.
  'windows-1252': guess,
  'iso-2022': decodeIso2022,
  'hz-gb-2312': decodeHz,
};

/**
 * TextDecoder does not look at the byte order of UTF-16, and that of Node 20 lacks what Hong Kong added to Big5, and most
 * Korean syllables.
 */
const BY_ICONV = new Set(['utf-16', 'utf-32', 'utf-7', 'big5', 'euc-kr']);
/** Not charsets, though iconv-lite has them among these. */
const NO_CHARSETS = new Set(['binary', 'base64', 'hex']);

/** A mail invents names; what is looked up once is kept for so many of them. */
const MAX_REMEMBERED = 500;
const remembered = new Map<string, Decode>();

/** The text that bytes are in the charset that a mail names, or in the likeliest if it names none, or a wrong one. */
export function decodeCharset(bytes: Uint8Array, label: string | undefined): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return decoderOf(label ?? '')(buffer);
}

function decoderOf(label: string): Decode {
  const known = remembered.get(label);
  if (known) return known;
  const found = findDecoder(label);
  if (remembered.size < MAX_REMEMBERED) remembered.set(label, found);
  return found;
}

function findDecoder(label: string): Decode {
  for (const name of namesOfCharset(label)) {
    const decode = named(name);
    if (decode) return decode;
  }
  return guess;
}

function named(name: string): Decode | null {
  const native = BY_ICONV.has(name) ? null : nativeDecoder(name);
  const own = OWN[native?.encoding ?? name];
  if (own) return own;
  if (native) return orUtf8((bytes) => native.decode(bytes));
  if (NO_CHARSETS.has(name) || name.startsWith('_') || !iconv.encodingExists(name)) return null;
  return orUtf8((bytes) => iconv.decode(bytes, name));
}

/** What cannot be read as it says, and can as UTF-8, is UTF-8. */
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

/** For what names no charset, or Latin or ASCII, which is what programs write that do not know. */
function guess(bytes: Buffer): string {
  if (isIso2022(bytes)) return decodeIso2022(bytes);
  return strictUtf8(bytes) ?? decodeWindows1252(bytes);
}

/** Japanese and Korean of seven bits. In ASCII an escape means nothing. */
const ESCAPES = ['\u001b$B', '\u001b$@', '\u001b$)C', '\u001b$(B'];
const isIso2022 = (bytes: Buffer): boolean => bytes.includes(0x1b) && ESCAPES.some((escape) => bytes.includes(escape));
