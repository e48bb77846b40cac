import { fold } from './fold.js';

/** A word of a text, or two neighbouring signs of a script that puts no spaces between its words. */
export interface Word {
  readonly text: string;
  /** Its place in the text. Phrases are words at places that follow each other. */
  readonly at: number;
  /** Of a run of signs: `pair` for two of them, `sign` for one that stands alone, `last` for the one that ends the run. */
  readonly part: 'word' | 'pair' | 'sign' | 'last';
}

/** What stands behind it in a message is not found. It bounds what one message can add to the index. */
export const MAX_CHARACTERS = 50_000;

/** Of a longer word the beginning counts: what is that long was not typed. */
const MAX_WORD_CHARACTERS = 100;

const RUNS = /[\p{L}\p{N}\p{M}]+/gu;

/** Han, kana, Hangul, Thai, Lao, Khmer, Burmese, Tibetan; 'ー' belongs to no script of its own. */
const DENSE = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\u30fc`;
const PARTS = new RegExp(`[${DENSE}]+|[^${DENSE}]+`, 'gu');
const STARTS_DENSE = new RegExp(`^[${DENSE}]`, 'u');

/**
 * Cuts a text into what it is found by. The index and the search both cut here. Everything that is neither letter nor
 * digit separates, so that an e-mail address, a file name or an order number is found by its parts, and as a phrase whole.
 */
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

/** Whether it is of a script that puts no spaces between its words. */
export const isDense = (text: string): boolean => STARTS_DENSE.test(text);

/** Every two neighbours, and the last one alone: so one sign is found too, as the beginning of a pair. */
function signsOf(run: string, from: number): Word[] {
  const signs = Array.from(run);
  return signs.map((sign, place) => {
    const next = signs[place + 1];
    const part = next !== undefined ? 'pair' : place === 0 ? 'sign' : 'last';
    return { text: sign + (next ?? ''), at: from + place, part };
  });
}
