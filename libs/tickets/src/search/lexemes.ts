import type { Customer, Ticket } from '#libs/entities';
import { type Word, wordsOf } from './words.js';

/** PostgreSQL's limits. A longer text continues at position 1. */
const LAST_PLACE = 16_383;
const MAX_PLACES = 255;

/** A tsvector has at most 1 MiB. The rest is left out. */
const MAX_BYTES = 900_000;

/** Keeps phrases from matching across two texts. */
const GAP = 10;

/** Marks files. No text is cut into this word. */
const FILE_MARK = '#file';

/** Words carry their account, so the frequency of a word elsewhere can neither slow down a search nor be measured. */
const lexeme = (accountId: string, word: string): string => `'${accountId.slice(-12)}:${word}'`;

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

export const ticketVector = (
  accountId: string,
  { title, tags }: Readonly<Pick<Ticket, 'title'>> & { readonly tags: readonly string[] },
): string => wordVector(accountId, title, ...tags);

type KnownBy = Pick<Customer, 'firstName' | 'lastName' | 'email' | 'companyName'>;

export const customerVector = (accountId: string, { firstName, lastName, email, companyName }: KnownBy): string =>
  wordVector(accountId, `${firstName} ${lastName}`, email, companyName);

/** Builds a tsquery of consecutive words. The last one also matches as a prefix, except in a quoted phrase. */
export function wordQuery(accountId: string, words: readonly Word[], isExact: boolean): string {
  const searched = words.filter(({ part }) => part !== 'last');
  return searched
    .map(({ text, at, part }, place) => {
      const isLast = place === searched.length - 1;
      const open = part === 'sign' || (part === 'word' && isLast && !isExact);
      const behind = place === 0 ? '' : ` <${at - searched[place - 1]!.at}> `;
      return `${behind}${lexeme(accountId, text)}${open ? ':*' : ''}`;
    })
    .join('');
}

export const fileQuery = (accountId: string): string => lexeme(accountId, FILE_MARK);
