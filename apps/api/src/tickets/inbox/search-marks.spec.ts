import { parseSearch } from '#libs/tickets';
import { describe, expect, it } from 'vitest';
import { SearchMarks } from './search-marks.js';

const marksOf = (search: string) => new SearchMarks(parseSearch(search));
const shown = (search: string, text: string) =>
  marksOf(search)
    .whole(text)
    .map((piece) => (piece.found ? `[${piece.text}]` : piece.text))
    .join('');

describe('SearchMarks', () => {
  it.each([
    ['red', 'Red shoes, hundred, red-hot', '[Red] shoes, hundred, [red]-hot'],
    ['o', 'oo o-o', '[o]o [o]-[o]'],
    ['cafe', 'Ein Café, Decafé', 'Ein [Café], Decafé'],
    ['東京', '東京都 in 東京', '[東京]都 in [東京]'],
    ['tower', '東京tower towertower', '東京[tower] [tower]tower'],
    ['strasse', 'Straße', '[Straße]'],
  ])('marks %j in %j', (search, text, expected) => {
    expect(shown(search, text)).toBe(expected);
  });
});

/** The maximum that the search reads of each of the 25 tickets of a page. */
const CHARACTERS = 20_000;
const MANY = Array.from({ length: 24 }, (_, n) => n + 1);

describe('SearchMarks on a page of the longest texts', () => {
  it.each([
    ['letters that are folded', 'привет', 'письмо '.repeat(CHARACTERS / 7)],
    ['one long word', 'a', 'a'.repeat(CHARACTERS)],
    ['the maximum number of words', MANY.map((n) => 'a'.repeat(n)).join(' '), 'a'.repeat(CHARACTERS)],
    ['the maximum number of words, folded', MANY.map((n) => 'ж'.repeat(n)).join(' '), 'ж'.repeat(CHARACTERS)],
  ])('takes little time for %s', (_, search, text) => {
    const marks = marksOf(search);
    const before = process.cpuUsage();
    for (let row = 0; row < 25; row++) marks.excerpt(text);
    const { user } = process.cpuUsage(before);

    expect(user / 1000, 'milliseconds').toBeLessThan(700);
  });
});
