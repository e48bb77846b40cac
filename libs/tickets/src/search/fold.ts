import { normalized } from '../normalized.js';

const PLAIN = /^[ -~\s]*$/;

/**
 * Accents, Arabic and Hebrew vowel signs, and the Arabic tatweel. Marks of kana and Indic scripts stay: they make other
 * letters.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu;

/** Letters that Unicode does not decompose, and variants of one letter. */
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

/** Folds case, accents, and full and half width to one spelling. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalized(normalized(text, 'NFKD').replaceAll(MARKS, ''), 'NFKC')
    .toLowerCase()
    .replaceAll(OTHERS, (letter) => SAME[letter]!);
}
