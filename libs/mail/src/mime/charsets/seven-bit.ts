import { CR, ESC, LF, TILDE } from '../ascii.js';

/** A decoder of the 8-bit form, with the bytes before each character and its length. */
interface CharacterSet {
  readonly decoder: TextDecoder;
  readonly prefix: readonly number[];
  readonly width: 1 | 2;
}

const setOf = (label: string, width: 1 | 2, prefix: readonly number[] = []): CharacterSet => ({
  decoder: new TextDecoder(label),
  prefix,
  width,
});

const ASCII = null;
const JIS_0208 = setOf('euc-jp', 2);
const JIS_0212 = setOf('euc-jp', 2, [0x8f]);
const JIS_KATAKANA = setOf('euc-jp', 1, [0x8e]);
const GB_2312 = setOf('gbk', 2);
const KS_X_1001 = setOf('euc-kr', 2);
const LATIN_1 = setOf('iso-8859-1', 1);
const GREEK = setOf('iso-8859-7', 1);
/** No decoder exists: each character becomes a replacement character. */
const CNS_11643 = setOf('utf-8', 2);

/** G0 is used directly, G1 after SO, G2 for one character after ESC N. */
const DESIGNATIONS: Readonly<Record<string, readonly [slot: 'g0' | 'g1' | 'g2', set: CharacterSet | null]>> = {
  '(B': ['g0', ASCII],
  '(J': ['g0', ASCII],
  '(H': ['g0', ASCII],
  '(I': ['g0', JIS_KATAKANA],
  ')I': ['g1', JIS_KATAKANA],
  '$@': ['g0', JIS_0208],
  $B: ['g0', JIS_0208],
  '$(@': ['g0', JIS_0208],
  '$(B': ['g0', JIS_0208],
  '$(D': ['g0', JIS_0212],
  '$(O': ['g0', JIS_0208],
  '$(Q': ['g0', JIS_0208],
  $A: ['g0', GB_2312],
  '$(A': ['g0', GB_2312],
  '$)A': ['g1', GB_2312],
  '$(C': ['g0', KS_X_1001],
  '$)C': ['g1', KS_X_1001],
  '$)G': ['g1', CNS_11643],
  '$*H': ['g2', CNS_11643],
  '.A': ['g2', LATIN_1],
  '.F': ['g2', GREEK],
};

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;

/** encoding-japanese reads only ISO-2022-JP, without extensions. */
export function decodeIso2022(bytes: Uint8Array): string {
  const slots: Record<'g0' | 'g1' | 'g2', CharacterSet | null> = { g0: ASCII, g1: ASCII, g2: ASCII };
  const pieces: string[] = [];
  let isShifted = false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    const designation = byte === ESC ? designationAt(bytes, at + 1) : undefined;
    if (designation) {
      const [slot, set] = DESIGNATIONS[designation]!;
      slots[slot] = set;
      at += 1 + designation.length;
    } else if (byte === ESC && bytes[at + 1] === 0x4e) {
      const end = at + 2 + (slots.g2?.width ?? 1);
      pieces.push(decodeRun(bytes.subarray(at + 2, end), slots.g2));
      at = end;
    } else if (byte === SHIFT_OUT || byte === SHIFT_IN) {
      isShifted = byte === SHIFT_OUT;
      at++;
    } else {
      const end = endOfRun(bytes, at);
      pieces.push(decodeRun(bytes.subarray(at, end), isShifted ? slots.g1 : slots.g0));
      if (bytes[end - 1] === LF) isShifted = false;
      at = end;
    }
  }
  return pieces.join('');
}

function designationAt(bytes: Uint8Array, at: number): string | undefined {
  const signs = String.fromCharCode(...bytes.subarray(at, at + 3));
  return [signs, signs.slice(0, 2)].find((name) => Object.hasOwn(DESIGNATIONS, name));
}

/** A control character or the end of a line ends a run. */
function endOfRun(bytes: Uint8Array, from: number): number {
  let end = from + 1;
  while (end < bytes.length && bytes[end - 1] !== LF && !isControl(bytes[end]!)) end++;
  return end;
}

const isControl = (byte: number): boolean => byte === ESC || byte === SHIFT_OUT || byte === SHIFT_IN;

function decodeRun(run: Uint8Array, set: CharacterSet | null): string {
  if (set === null) return Buffer.from(run).toString('latin1');
  const { decoder, prefix, width } = set;
  const codes: number[] = [];
  for (let at = 0; at < run.length;) {
    const isSpace = run[at]! <= 0x20;
    const sign = run.subarray(at, at + (isSpace ? 1 : width));
    if (!isSpace) codes.push(...prefix);
    for (const code of sign) codes.push(isSpace ? code : code | 0x80);
    at += sign.length;
  }
  return decoder.decode(Uint8Array.from(codes));
}

const gbk = new TextDecoder('gbk');
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * RFC 1843: two bytes between ~{ and ~} are a Chinese character, ~~ is a tilde, and ~ at the end of a line is dropped.
 */
export function decodeHz(bytes: Buffer): string {
  const codes: number[] = [];
  let isChinese = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const next = bytes[at + 1];
    if (byte === LF) isChinese = false;
    const isEscape = byte === TILDE && next === (isChinese ? CLOSE : OPEN);
    if (isEscape) {
      isChinese = !isChinese;
      at++;
    } else if (isChinese && byte > 0x20 && next !== undefined) {
      codes.push(byte | 0x80, next | 0x80);
      at++;
    } else if (byte === TILDE && (next === TILDE || next === LF || next === CR)) {
      if (next === TILDE) codes.push(TILDE);
      at += next === CR && bytes[at + 2] === LF ? 2 : 1;
    } else codes.push(byte);
  }
  return gbk.decode(Uint8Array.from(codes));
}
