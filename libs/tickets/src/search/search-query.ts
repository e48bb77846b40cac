import { InvalidField } from '#libs/entities';
import { operatorPart } from './search-operators.js';
import type { SearchPart, SoughtPart } from './search-part.js';
import { wordsOf } from './words.js';

/** Each costs an index lookup. */
const MAX_PARTS = 24;

/** An optional `-`, an optional operator, and a phrase or word. An unclosed quote reaches to the end. */
const PIECES = /(-?)(?:([a-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]\S*))?/giu;

/** Parses any text. Refuses only impossible values, such as a day that does not exist. */
export function parseSearch(text: string): SoughtPart[] {
  const parts: SoughtPart[] = [];
  for (const [, minus, operator, phrase, word] of text.matchAll(PIECES)) {
    const value = phrase ?? word ?? '';
    const asTheyAre = phrase !== undefined;
    const part = operatorPart(operator, value, asTheyAre) ?? wordsPart(operator, value, asTheyAre);
    if (part) parts.push({ ...part, excluded: minus === '-' });
    if (parts.length > MAX_PARTS)
      throw new InvalidField('q', 'too_many_words', `a search has at most ${MAX_PARTS} words and operators`);
  }
  return parts;
}

const NUMBER = /^(#?)(\d{1,10})$/;
const MAX_NUMBER = 2_147_483_647;

/** Text with an unknown operator is text. Text without a letter or digit is ignored. */
function wordsPart(before: string | undefined, value: string, asTheyAre: boolean): SearchPart | null {
  const text = before === undefined ? value : `${before}:${value}`;
  const [, hash, digits] = (!asTheyAre && NUMBER.exec(text)) || [];
  const number = digits !== undefined && Number(digits) <= MAX_NUMBER ? Number(digits) : null;
  if (hash === '#') return { kind: 'number', number };
  const words = wordsOf(text);
  return words.length === 0 ? null : { kind: 'words', words, asTheyAre, number };
}
