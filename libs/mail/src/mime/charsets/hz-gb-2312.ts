const decoder = new TextDecoder('gbk');

const [TILDE, OPEN, CLOSE, CR, LF] = [0x7e, 0x7b, 0x7d, 0x0d, 0x0a];

/** RFC 1843: between ~{ and ~} two bytes are a Chinese sign; ~~ is a tilde, and a tilde at the end of a line is nothing. */
export function decodeHz(bytes: Buffer): string {
  const gbk: number[] = [];
  let isChinese = false;
  for (let at = 0; at < bytes.length; at++) {
    const [byte, next] = [bytes[at]!, bytes[at + 1]];
    if (byte === LF) isChinese = false;
    const isEscape = byte === TILDE && next === (isChinese ? CLOSE : OPEN);
    if (isEscape) {
      isChinese = !isChinese;
      at++;
    } else if (isChinese && byte > 0x20 && next !== undefined) {
      gbk.push(byte | 0x80, next | 0x80);
      at++;
    } else if (byte === TILDE && (next === TILDE || next === LF || next === CR)) {
      if (next === TILDE) gbk.push(TILDE);
      at += next === CR && bytes[at + 2] === LF ? 2 : 1;
    } else gbk.push(byte);
  }
  return decoder.decode(Uint8Array.from(gbk));
}
