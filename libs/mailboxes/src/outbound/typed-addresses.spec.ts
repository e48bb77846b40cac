import { describe, expect, it } from 'vitest';
import { typedAddresses } from './typed-addresses.js';

describe('addresses typed into Cc', () => {
  it.each([
    ['', []],
    [' \n ,; ', []],
    ['a@x.test', ['a@x.test']],
    ['a@x.test, b@x.test;c@x.test\nd@x.test', ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test']],
    ['Ana Lima <a@x.test>; b@x.test', ['a@x.test', 'b@x.test']],
    ['"Lima, Ana" <a@x.test>, b@x.test', ['a@x.test', 'b@x.test']],
    ['Lima, Ana <a@x.test>', ['a@x.test']],
    ['ana, b@x.test', ['ana', 'b@x.test']],
    ['b@x.test, ana', ['b@x.test', 'ana']],
    ['jörg@bücher.example', ['jörg@bücher.example']],
  ])('reads %j', (text, expected) => {
    expect(typedAddresses(text)).toEqual(expected);
  });
});
