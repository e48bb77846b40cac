import { describe, expect, it } from 'vitest';
import { parseParameters } from './form-bodies.js';

describe('A form', () => {
  it.each([
    ['a=1+2&b+c=3', { a: '1 2', 'b c': '3' }],
    ['a=1%2B2+%2B', { a: '1+2 +' }],
    ['a=é+ü+%F0%9F%98%80+東', { a: 'é ü 😀 東' }],
    ['a=++', { a: '  ' }],
  ])('writes a space as a plus: %s', (text, expected) => {
    expect(parseParameters(text)).toEqual(expected);
  });
});
