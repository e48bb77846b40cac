/** The halfwidth kana marks are letters, which NFKC and NFKD turn into marks. */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;

/** More marks than any language puts on a letter: the limit of the Stream-Safe Text Format (UAX #15). */
const MAX_MARKS = 30;

type Form = 'NFC' | 'NFKD' | 'NFKC';

/** Normalizes text with a bounded number of marks per letter, because sorting them takes quadratic time. */
export const normalized = (text: string, form: Form): string => text.replaceAll(MARKS, bounded).normalize(form);

/** Slices first, because a text may consist of millions of marks. A mark has at most two code units. */
const bounded = (marks: string): string =>
  marks.length <= MAX_MARKS
    ? marks
    : Array.from(marks.slice(0, 2 * MAX_MARKS))
        .slice(0, MAX_MARKS)
        .join('');
