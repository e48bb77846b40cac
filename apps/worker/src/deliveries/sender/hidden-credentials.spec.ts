import { describe, expect, it } from 'vitest';
import { hideCredentials } from './hidden-credentials.js';

const basic = `Basic ${Buffer.from('maya:p"ssword-1').toString('base64')}`;

describe('hideCredentials', () => {
  it.each([
    ['a whole header', { a: 'Bearer abcdefgh' }, 'got Bearer abcdefgh.', 'got [hidden].'],
    ['a token without its scheme', { a: 'Bearer abcdefgh' }, 'got abcdefgh, abcdefgh', 'got [hidden], [hidden]'],
    ['a value within JSON', { a: 'a "quoted" value' }, String.raw`{"a":"a \"quoted\" value"}`, '{"a":"[hidden]"}'],
    ['a user name with its password', { a: basic }, 'maya:p"ssword-1', '[hidden]'],
    ['a password', { a: basic }, String.raw`{"p":"p\"ssword-1"} p"ssword-1!`, '{"p":"[hidden]"} [hidden]!'],
    ['the beginning of a value at the end', { a: '0123456789abcdef' }, 'cut 01234567', 'cut [hidden]'],
    ['no beginning of seven characters', { a: '0123456789abcdef' }, 'cut 0123456', 'cut 0123456'],
    ['no value of seven characters', { a: '1234567' }, '1234567', '1234567'],
    ['nothing without credentials', {}, 'as it came', 'as it came'],
  ])('hides %s', (_what, credentials, text, expected) => {
    expect(hideCredentials(text, credentials)).toBe(expected);
  });
});
