import { FILE_MARK, lexeme } from './word-vector.js';
import type { Word } from './words.js';

/** Builds a tsquery of consecutive words. The last one also matches as a prefix, except in a quoted phrase. */
export function wordQuery(accountId: string, words: readonly Word[], asTheyAre: boolean): string {
  const sought = words.filter(({ part }) => part !== 'last');
  return sought
    .map(({ text, at, part }, place) => {
      const isLast = place === sought.length - 1;
      const open = part === 'sign' || (part === 'word' && isLast && !asTheyAre);
      const behind = place === 0 ? '' : ` <${at - sought[place - 1]!.at}> `;
      return `${behind}${lexeme(accountId, text)}${open ? ':*' : ''}`;
    })
    .join('');
}

export const fileQuery = (accountId: string): string => lexeme(accountId, FILE_MARK);
