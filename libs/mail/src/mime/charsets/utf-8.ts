import { decodeWindows1252 } from './windows-1252.js';

const strict = new TextDecoder('utf-8', { fatal: true });
const tolerant = new TextDecoder('utf-8');

/** Null for what is no UTF-8. Bytes are seldom UTF-8 by accident. */
export function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** What says that it is UTF-8 and mostly is not is windows-1252. */
export function decodeUtf8(bytes: Buffer): string {
  const text = tolerant.decode(bytes);
  return isMostlyBroken(text) ? decodeWindows1252(bytes) : text;
}

/** More bytes that mean nothing than letters beyond ASCII that do. One that a server has cut in two is no reason. */
function isMostlyBroken(text: string): boolean {
  if (!text.includes(REPLACEMENT)) return false;
  let [broken, read] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken++;
    else if (code > 0x7f) read++;
  }
  return broken > read;
}

const REPLACEMENT = '\ufffd';
