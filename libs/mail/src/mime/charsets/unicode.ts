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
export function decodeUtf8(bytes: Buffer): string {
  const text = tolerant.decode(bytes);
  return isMostlyBroken(text) ? decodeWindows1252(bytes) : text;
}

/** A letter that a server split is no reason. */
function isMostlyBroken(text: string): boolean {
  if (!text.includes(REPLACEMENT)) return false;
  let [broken, valid] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken++;
    else if (code > 0x7f) valid++;
  }
  return broken > valid;
}

const REPLACEMENT = '\ufffd';

/** No mail means the control characters of ISO 8859-1. */
const UPPER_CONTROLS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node 20 decodes it as ISO 8859-1, which loses quotation marks and euro signs. */
export const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\u0080-\u009f]/g, (sign) => UPPER_CONTROLS[sign.charCodeAt(0) - 0x80]!);
