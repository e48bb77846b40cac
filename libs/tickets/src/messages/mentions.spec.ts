import { expect, it } from 'vitest';
import { handlesIn, mentionsOneOf } from './mentions.js';

it.each([
  ['a name', 'Can you look, @ana?', ['ana']],
  ['a name in capitals', '@Ana', ['ana']],
  ['a name with a dot, and drops the full stop', 'Ask @ana.lima.', ['ana.lima']],
  ['a whole email address', 'Ask @ana@desk.example, please', ['ana@desk.example']],
  ['a name once', '@ana @ANA', ['ana']],
  ['two names', '@ana/@ben and (@cleo)', ['ana', 'cleo']],
  ['a name before a possessive', "@ana's ticket", ['ana']],
  ['a name with an apostrophe', "@o'brien", ["o'brien"]],
  ['a name inside Japanese text', '確認@anaさん', ['ana']],
  ['a name before Arabic text', '@ana شكرا', ['ana']],
  ['a name with a letter beyond ASCII', '@zoe\u0308', ['zoë']],
  ['a name at the beginning of a line', 'Hello\n@ana', ['ana']],
  ['nothing in an email address', 'ana@desk.example', []],
  ['nothing in a URL', 'https://social.example/@ana', []],
  ['nothing after a second sign', '@@ana', []],
  ['nothing in a sign alone', 'meet @ noon', []],
])('finds %s', (_, text, handles) => {
  expect(handlesIn(text).map(([handle]) => handle)).toEqual(handles);
});

it('reads a megabyte of signs and names within a second', () => {
  const hostile = [
    `@${'.'.repeat(1_000_000)}`,
    '@'.repeat(1_000_000),
    '@a '.repeat(300_000),
    `@${"'s".repeat(500_000)}`,
  ];
  const start = performance.now();
  const found = hostile.map((text) => handlesIn(text).length);

  expect(found).toEqual([0, 0, 1, 0]);
  expect(performance.now() - start).toBeLessThan(1000);
});

it.each([
  ['ana', true],
  ['Ana@Desk.example', true],
  ['an', false],
  ['ana@elsewhere.example', false],
])('matches %s with the email addresses of mentioned agents: %s', (name, isMentioned) => {
  expect(mentionsOneOf(['ana@desk.example'], name)).toBe(isMentioned);
});
