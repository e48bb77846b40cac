import * as fc from 'fast-check';

/** Strings that have broken one program or another. */
const CLASSICS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e\u0000',
  '\uffff',
  '🏳️‍🌈'.repeat(20),
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
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '1e400',
  '9223372036854775808',
  '99999999999999999999999',
  '0x10',
  '1,2,3',
  '[]',
  '{}',
  '{"a":1}',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  '\r\nSet-Cookie: a=b',
  '0000-00-00T00:00:00Z',
  '275760-09-13T00:00:00.001Z',
  '2026-02-30T25:61:61Z',
  '1970-01-01',
  'a@b',
  '@',
  'a@b.c@d.e',
  '"quoted space"@example.com',
  'ü@exämple.com',
  'eyJhIjoxfQ',
];

const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, Number.MIN_VALUE, -(2 ** 63)];

const deep = (levels: number): unknown => {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

export const hostileText = fc.oneof(
  fc.constantFrom(...CLASSICS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
);

/** Any value that JSON can carry, and some that it should not. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { length: 1e9 }, { toJSON: 'x' }) },
  { weight: 1, arbitrary: fc.constantFrom(5, 50, 3000).map(deep) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(hostileText, fc.oneof(hostileText, fc.constantFrom(...NUMBERS)), { maxKeys: 5 }),
  },
);

/** A body as text: mostly what it says it is. */
export const hostileBodyText = fc.constantFrom(
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
  '\ufeff{}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  'a[b][c][d][e][f][g]=1',
  'body=%FF%FE&from=%00',
  'a=1&'.repeat(3000),
  'tags[999999999]=x',
  'tags[length]=9&custom[__proto__]=x',
);

export const hostileContentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/xml',
  'application/problem+json',
  '',
  'nonsense',
);
