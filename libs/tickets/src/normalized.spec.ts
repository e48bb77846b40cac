import { expect, it } from 'vitest';
import { normalized } from './normalized.js';

it.each([
  ['e\u0301', 'NFC', 'é'],
  ['ﬁ', 'NFKD', 'fi'],
  ['ｶﾞ', 'NFKC', 'ガ'],
  [`a${'\u0300'.repeat(30)}b`, 'NFKD', `a${'\u0300'.repeat(30)}b`],
] as const)('normalizes %j to %s', (text, form, expected) => {
  expect(normalized(text, form)).toBe(expected);
});

it('removes more marks than any language uses', () => {
  expect(normalized(`a${'\u0315'.repeat(1000)}b`, 'NFKD')).toBe(`a${'\u0315'.repeat(30)}b`);
  expect(normalized(`a${'\u0315\uff9e'.repeat(1000)}b`, 'NFKD')).toHaveLength(32);
});
