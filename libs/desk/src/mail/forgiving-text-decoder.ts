const NativeTextDecoder = TextDecoder;

/** What windows-1252 has from 0x80 to 0x9f; ISO 8859-1 has control characters there, which no mail means. */
const UPPER_CONTROLS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Mails name wrong charsets. What says that it is Latin, or says nothing and is no UTF-8, is looked at: bytes are seldom UTF-8
 * by accident. Node 20 decodes windows-1252 as ISO 8859-1, so that quotation marks and euro signs are lost.
 */
export class ForgivingTextDecoder extends NativeTextDecoder {
  override decode(input?: Parameters<TextDecoder['decode']>[0], options?: { stream?: boolean }): string {
    if (input === undefined || options?.stream) return super.decode(input, options);
    const bytes = ArrayBuffer.isView(input)
      ? Buffer.from(input.buffer, input.byteOffset, input.byteLength)
      : Buffer.from(input as ArrayBuffer);
    if (this.encoding === 'windows-1252') return utf8Of(bytes) ?? windows1252(bytes);
    const text = super.decode(bytes);
    return this.encoding === 'utf-8' && isMostlyBroken(text) ? windows1252(bytes) : text;
  }
}

const strict = new NativeTextDecoder('utf-8', { fatal: true });

function utf8Of(bytes: Buffer): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

const windows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\u0080-\u009f]/g, (sign) => UPPER_CONTROLS[sign.charCodeAt(0) - 0x80]!);

/** More bytes that mean nothing than letters beyond ASCII that do. One that a server has cut in two is no reason. */
function isMostlyBroken(text: string): boolean {
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  return broken > 0 && broken > (text.match(/[\u0080-\ufffc]/g)?.length ?? 0);
}
