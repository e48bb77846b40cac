import { describe, expect, it } from 'vitest';
import { parseParameters } from './request-bodies.js';

describe('parseParameters', () => {
  it.each([
    ['a=1+2&b+c=3', { a: '1 2', 'b c': '3' }],
    ['a=1%2B2+%2B', { a: '1+2 +' }],
    ['a=é+ü+%F0%9F%98%80+東', { a: 'é ü 😀 東' }],
    ['a=++', { a: '  ' }],
  ])('reads a plus as a space: %s', (text, expected) => {
    expect(parseParameters(text)).toEqual(expected);
  });
});
