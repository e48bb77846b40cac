import { type Word, wordsOf } from './words.js';

/** How rows are cut today. Those with a lower number are cut anew by the back-fill. */
export const WORDS_VERSION = 1;

/** PostgreSQL keeps no higher place, so a longer text begins again with the first. It keeps no more places of one word. */
const LAST_PLACE = 16_383;
const MAX_PLACES = 255;

/** A tsvector has at most 1 MiB. What comes behind so many bytes is left out. */
const MAX_BYTES = 900_000;

/** So far apart that no phrase reaches from one text into the next. */
const GAP = 10;

/** Stands for a file. No text is cut into it. */
export const FILE_MARK = '#file';

/**
 * The words of an account carry it, in the index and in the search: how common a word is elsewhere can then neither slow
 * a search down nor be measured by it.
 */
export const lexeme = (accountId: string, word: string): string => `'${accountId.slice(-12)}:${word}'`;

/** What some texts are found by, as PostgreSQL reads a tsvector. */
export function wordVector(accountId: string, ...texts: readonly (string | null)[]): string {
  let from = 1;
  const words: Word[] = [];
  for (const text of texts) {
    const found = wordsOf(text ?? '', from);
    for (const word of found) words.push(word);
    from += found.length + GAP;
  }
  return written(accountId, words);
}

/** Of a file: its name, and that it is one. */
export const fileVector = (accountId: string, name: string): string =>
  `${wordVector(accountId, name)} ${lexeme(accountId, FILE_MARK)}`;

function written(accountId: string, words: readonly Word[]): string {
  const places = new Map<string, number[]>();
  let bytes = 0;
  for (const { text, at } of words) {
    const known = places.get(text);
    bytes += known ? 2 : text.length * 3 + 20;
    if (bytes > MAX_BYTES) break;
    const place = ((at - 1) % LAST_PLACE) + 1;
    if (!known) places.set(text, [place]);
    else if (known.length < MAX_PLACES) known.push(place);
  }
  return [...places].map(([text, found]) => `${lexeme(accountId, text)}:${found.join(',')}`).join(' ');
}
