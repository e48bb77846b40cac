import type { SeededChoices } from '#test/support/seeded-choices.js';

/** Strings known to break programs. */
const CLASSICS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e\u0000',
  '\u202egnp.exe\u2066',
  '\uffff',
  '\u2028\u2029\u0085',
  '🏳️‍🌈'.repeat(20),
  'a\u0300'.repeat(300),
  'a'.repeat(10_000),
  "' or 1=1 --",
  "'; drop table tickets; --",
  '$1',
  '%',
  '%00',
  '%s%n',
  '..%2f..%2f',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '1e400',
  '2147483648',
  '9223372036854775808',
  '99999999999999999999999',
  '0x10',
  '1,2,3',
  '[]',
  '{}',
  '{"a":1}',
  '<script>alert(1)</script>',
  '<br'.repeat(300),
  '<b>'.repeat(300),
  '&'.repeat(300),
  '${7*7}',
  '{{7*7}}',
  '\r\nSet-Cookie: a=b',
  '0000-00-00T00:00:00Z',
  '275760-09-13T00:00:00.001Z',
  '2024-02-30',
  '2026-02-30T25:61:61Z',
  '0000-01-01T00:00:00Z',
  '1970-01-01',
  'Thu, 31 Feb 2026 24:00:00 +9999',
  'a@b',
  '@',
  'a@b.c@d.e',
  '"quoted space"@example.com',
  '"a\r\nBcc: b"@client.test',
  'ü@exämple.com',
  'xn--a@xn--a',
  'eyJhIjoxfQ',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
] as const;

const LONG = ['a', '<br', '\ud83d\ude00', '\0', '&lt;', '<b>', '\n', '<img src='] as const;
const LONG_CHARACTERS = 240_000;

export const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1e308,
  Number.MIN_VALUE,
  -(2 ** 63),
] as const;

const NEITHER_TEXT_NOR_NUMBER = [null, true, false, [], {}, [[]], [null], { length: 1e9 }, { toJSON: 'x' }] as const;

export function hostileText(choices: SeededChoices): string {
  return choices.isLikely(0.6) ? choices.pick(CLASSICS) : randomText(choices);
}

export function longText(choices: SeededChoices): string {
  const unit = choices.pick(LONG);
  return unit.repeat(Math.ceil(LONG_CHARACTERS / unit.length));
}

const PLANES = [0x7f, 0x7f, 0x2ff, 0x20ff, 0xffff, 0x10ffff] as const;

/** Any code points, including halves of surrogate pairs. */
function randomText(choices: SeededChoices): string {
  const most = choices.pick(PLANES);
  return Array.from({ length: choices.integer(1, 24) }, () => String.fromCodePoint(choices.integer(0, most))).join('');
}

const DEPTHS = [5, 13, 50, 3000] as const;
const LONG_VALUE_SHARE = 0.02;

/** Any value that JSON can carry, and some that it should not. */
export function hostileValue(choices: SeededChoices): unknown {
  if (choices.isLikely(LONG_VALUE_SHARE)) return longText(choices);
  const kind = choices.integer(0, 11);
  if (kind < 5) return hostileText(choices);
  if (kind < 7) return choices.pick(HOSTILE_NUMBERS);
  if (kind < 9) return choices.pick(NEITHER_TEXT_NOR_NUMBER);
  if (kind === 9) return nested(choices.pick(DEPTHS));
  if (kind === 10) return Array.from({ length: choices.integer(1, 200) }, () => hostileText(choices));
  return Object.fromEntries(
    Array.from({ length: choices.integer(1, 60) }, () => [hostileText(choices), choices.pick(HOSTILE_NUMBERS)]),
  );
}

function nested(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

/** A body as text, mostly not of the declared type. */
export const HOSTILE_BODIES = [
  '',
  ' ',
  'null',
  '[]',
  '7',
  '"text"',
  '{',
  '{"body":',
  '{"a":1e400}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2,"\\u0061":3}',
  '{"\\ud800":"\\udfff"}',
  '\ufeff{}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `{"list":[${'1,'.repeat(50_000)}1]}`,
  'a[b][c][d][e][f][g]=1',
  'body=%FF%FE&from=%00',
  'a=1&'.repeat(3000),
  'a[]='.repeat(3000),
  'tags[999999999]=x',
  'tags[length]=9&custom[__proto__]=x',
  '&=&=&==%',
  '--x\r\n',
  '--x\r\ncontent-disposition: form-data; name="body"\r\n\r\nhal',
  '--x\r\ncontent-disposition: form-data; name="files"; filename="../../a\0.txt"\r\n\r\nhello\r\n--x--\r\n',
  '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--x--\r\n',
  `--x\r\n${'a: b\r\n'.repeat(3000)}\r\nx\r\n--x--\r\n`,
  '--x\r\n'.repeat(2000),
] as const;

export const HOSTILE_CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-7',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'x'.repeat(200)}`,
  'multipart/mixed; boundary=x',
  'text/plain',
  'application/xml',
  'application/problem+json',
  '',
  'nonsense',
  '/',
  ';',
] as const;
