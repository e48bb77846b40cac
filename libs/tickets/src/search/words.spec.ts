import { describe, expect, it } from 'vitest';
import { wordQuery, wordVector } from './lexemes.js';
import { wordsOf } from './words.js';

const ACCOUNT = '00000000-0000-7000-8000-00000000abcd';
const textsOf = (text: string) => wordsOf(text).map((word) => word.text);
const queryOf = (text: string, isExact = false) =>
  wordQuery(ACCOUNT, wordsOf(text), isExact).replaceAll('00000000abcd:', '');

const placeOf = (vector: string, word: string) => Number(new RegExp(`:${word}':(\\d+)`).exec(vector)![1]);

describe('wordsOf', () => {
  it.each([
    ['Where is my ORDER?', ['where', 'is', 'my', 'order']],
    ['ana.garcia@shop.example', ['ana', 'garcia', 'shop', 'example']],
    ['invoice_2026-04.pdf', ['invoice', '2026', '04', 'pdf']],
    ['Crème Brûlée, Ærøskøbing, Łódź, Straße, ΟΔΟΣ', ['creme', 'brulee', 'aeroskobing', 'lodz', 'strasse', 'οδοσ']],
    ['ﬁne Ｗｉｄｅ', ['fine', 'wide']],
    ['مُحَمَّد أحمد القاهرة', ['محمد', 'احمد', 'القاهره']],
    ['東京都', ['東京', '京都', '都']],
    ['東京tower2', ['東京', '京', 'tower2']],
    ['ガバ', ['ガバ', 'バ']],
    ['สวัส', ['สว', 'วั', 'ัส', 'ส']],
    ['학교에서', ['학교', '교에', '에서', '서']],
    ['駅', ['駅']],
    ["!!! \0 \ud800 \\ ' % :* &|()", []],
    ['', []],
  ])('cuts %j into words', (text, words) => {
    expect(textsOf(text)).toEqual(words);
  });

  it('limits the number and length of words', () => {
    expect(wordsOf('東'.repeat(60_000))).toHaveLength(50_000);
    expect(wordsOf('ﷺ'.repeat(50_000)).length).toBeLessThan(50_000);
    expect(textsOf('x'.repeat(1_000))[0]).toHaveLength(100);
    const different = Array.from({ length: 50_000 }, (_, place) =>
      String.fromCodePoint(0x4e00 + ((place * 7919) % 20_000)),
    );
    expect(Buffer.byteLength(wordVector(ACCOUNT, different.join('')))).toBeLessThan(2_000_000);
  });
});

describe('wordQuery', () => {
  it.each([
    ['order', "'order':*"],
    ['ana@shop.example', "'ana' <1> 'shop' <1> 'example':*"],
    ['東京都', "'東京' <1> '京都'"],
    ['都', "'都':*"],
    ['東京tower', "'東京' <2> 'tower':*"],
  ])('searches for %j with %s', (text, query) => {
    expect(queryOf(text)).toBe(query);
  });

  it('does not match prefixes of quoted words', () => {
    expect(queryOf('red shoes', true)).toBe("'red' <1> 'shoes'");
    expect(queryOf('都', true)).toBe("'都':*");
  });
});

it('keeps phrases adjacent beyond the positions of PostgreSQL, and never across two texts', () => {
  const far = wordVector(ACCOUNT, `${'f '.repeat(20_000)}red shoes`);
  const two = wordVector(ACCOUNT, 'red', 'shoes');

  expect(placeOf(far, 'shoes') - placeOf(far, 'red')).toBe(1);
  expect(placeOf(two, 'shoes') - placeOf(two, 'red')).toBeGreaterThan(1);
});
