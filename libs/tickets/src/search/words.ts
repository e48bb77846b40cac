import { normalized } from '../normalized.js';

export interface Word {
  readonly text: string;
  /** Position in the text. Phrases are words at consecutive positions. */
  readonly at: number;
  /** In a run of signs: `pair` for two, `sign` for a single one, `last` for the last of a run. */
  readonly part: 'word' | 'pair' | 'sign' | 'last';
}

/** Limits what one message adds to the index. Later text is not found. */
export const MAX_CHARACTERS = 50_000;

const MAX_WORD_CHARACTERS = 100;

const RUNS = /[\p{L}\p{N}\p{M}]+/gu;

/** Han, kana, Hangul, Thai, Lao, Khmer, Burmese, Tibetan; 'ー' belongs to no script of its own. */
const DENSE = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\u30fc`;
const PARTS = new RegExp(`[${DENSE}]+|[^${DENSE}]+`, 'gu');
const STARTS_DENSE = new RegExp(`^[${DENSE}]`, 'u');

/** Separates at everything but letters and digits, so that parts of an email address or file name are found. */
export function wordsOf(text: string, from = 1): Word[] {
  const words: Word[] = [];
  for (const [run] of fold(text.slice(0, MAX_CHARACTERS)).slice(0, MAX_CHARACTERS).matchAll(RUNS))
    for (const [part] of run.matchAll(PARTS)) addPart(words, part, from);
  return words;
}

function addPart(words: Word[], part: string, from: number): void {
  const at = from + words.length;
  if (isDense(part)) for (const sign of signsOf(part, at)) words.push(sign);
  else words.push({ text: part.slice(0, MAX_WORD_CHARACTERS), at, part: 'word' });
}

export const isDense = (text: string): boolean => STARTS_DENSE.test(text);

/** The last sign stands alone, so that a search for one sign matches as a prefix. */
function signsOf(run: string, from: number): Word[] {
  const signs = Array.from(run);
  return signs.map((sign, place) => {
    const next = signs[place + 1];
    const part = next !== undefined ? 'pair' : place === 0 ? 'sign' : 'last';
    return { text: sign + (next ?? ''), at: from + place, part };
  });
}

const PLAIN = /^[ -~\s]*$/;

/** Marks of kana and Indic scripts stay: they make other letters. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu;

const SAME: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
};
const OTHERS = /[æœßøđðþłħıςىیکة]/gu;

export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalized(normalized(text, 'NFKD').replaceAll(MARKS, ''), 'NFKC')
    .toLowerCase()
    .replaceAll(OTHERS, (letter) => SAME[letter]!);
}
