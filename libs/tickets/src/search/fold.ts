import { normalized } from '../normalized.js';

const PLAIN = /^[ -~\s]*$/;

/** Accents, and the vowel signs of Arabic and Hebrew with the line that stretches a word. Those of kana and of Indic scripts make other letters. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu;

/** Letters that Unicode does not take apart, and those that are written in several ways. */
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

/** One spelling for all that people take for the same: case, accents, full and half width. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalized(normalized(text, 'NFKD').replaceAll(MARKS, ''), 'NFKC')
    .toLowerCase()
    .replaceAll(OTHERS, (letter) => SAME[letter]!);
}
