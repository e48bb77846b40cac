/** The two last ones are letters, and become marks where width is left out. */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;

/** More marks on one letter than any language has: Unicode's own bound for text in a stream (UAX #15). */
const MAX_MARKS = 30;

type Form = 'NFC' | 'NFKD' | 'NFKC';

/** Normalization sorts the marks of a letter, in quadratic time, so whoever writes them would decide how long it takes. */
export const normalized = (text: string, form: Form): string => text.replaceAll(MARKS, bounded).normalize(form);

/** Cut before it is taken apart: a mark is two units at most, and a text may be nothing but marks. */
const bounded = (marks: string): string =>
  marks.length <= MAX_MARKS
    ? marks
    : Array.from(marks.slice(0, 2 * MAX_MARKS))
        .slice(0, MAX_MARKS)
        .join('');
