// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { regularExpressionsIn, regularExpressionsOf } from './regular-expressions.js';

/** By default the checker starts Java if it is installed; its JavaScript gives the same result on every machine. */
process.env['RECHECK_BACKEND'] = 'pure';

let recheck: typeof import('recheck');
beforeAll(async () => {
  recheck = await import('recheck');
});

const TIMEOUT_MS = 60_000;

/** The checker counts steps instead of time, so the result does not depend on the load of the machine. */
const WITHOUT_CLOCK = { incubationTimeout: null, attackTimeout: null };

function examine(source: string, flags: string): string {
  const result = recheck.checkSync(source, flags, { ...WITHOUT_CLOCK, timeout: TIMEOUT_MS });
  if (result.status === 'safe') return 'linear';
  return result.status === 'unknown'
    ? `unknown: ${result.error.kind}`
    : `${result.complexity.summary}, for example on ${result.attack.pattern}`;
}

describe('a regular expression takes linear time on any input', () => {
  it.each(regularExpressionsOf(['apps', 'libs']).map((found) => [`/${found.source}/${found.flags}`, found] as const))(
    '%s',
    (_, { source, flags, places }) => {
      expect(examine(source, flags), `in ${places.join(', ')}`).toBe('linear');
    },
    TIMEOUT_MS * 2,
  );
});

describe('the check of regular expressions', () => {
  it.each([
    ['a pattern for line breaks', String.raw`<(br|\/p|\/div|\/li|\/h\d)\b[^>]*>`, 'gi', '2nd degree'],
    ['a pattern for images', String.raw`<img[^>]+src\s*=\s*["']?\s*(https?:|\/\/)`, 'i', '3rd degree'],
    ['two repetitions of the same', String.raw`^\s*(\S*\s*)$`, '', 'polynomial'],
    ['repetition at the end alone', String.raw`\/+$`, '', '2nd degree'],
    ['nested repetition', '^(a+)+$', '', 'exponential'],
  ])('rejects %s', (_, source, flags, complexity) => {
    expect(examine(source, flags)).toContain(complexity);
  });

  it.each([
    ['a literal', 'const found = /a+$/g.exec(text);', '/a+$/g'],
    ['a literal in a tag', 'const view = <p title={text.replace(/b/, "")}>c</p>;', '/b/'],
    [
      'one made of constants',
      "const TAGS = 'a b'.split(' ');\nconst TAG = new RegExp(`<(${TAGS.join('|')})>`, 'i');",
      '/<(a|b)>/i',
    ],
    ['one of constants of constants', "export const A = 'x';\nconst B = `${A}+`;\nRegExp(B);", '/x+/'],
  ])('finds %s', (_, text, expected) => {
    expect(regularExpressionsIn('some.tsx', text).map(({ source, flags }) => `/${source}/${flags}`)).toEqual([
      expected,
    ]);
  });

  it('rejects a pattern that is built at run time', () => {
    const text = 'export const find = (word: string) => new RegExp(`^${word}$`);';

    expect(() => regularExpressionsIn('some.ts', text)).toThrow(
      'some.ts: new RegExp(`^${word}$`) is not made of constants',
    );
  });
});
