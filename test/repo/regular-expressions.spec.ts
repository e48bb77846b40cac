import { beforeAll, describe, expect, it } from 'vitest';
import { regularExpressionsIn, regularExpressionsOf } from './regular-expressions.js';

/** The checker in JavaScript is the same on every machine; by itself it would start Java where there is one. */
process.env['RECHECK_BACKEND'] = 'pure';

let recheck: typeof import('recheck');
beforeAll(async () => {
  recheck = await import('recheck');
});

/** A pattern that takes longer to judge than this is too hard to understand as well. */
const TIMEOUT_MS = 60_000;

/** Steps are counted, and not timed: what is found must not depend on how busy the machine is. */
const WITHOUT_CLOCK = { incubationTimeout: null, attackTimeout: null };

/** What the pattern takes at worst, with the shortest way to show it. */
function examine(source: string, flags: string): string {
  const result = recheck.checkSync(source, flags, { ...WITHOUT_CLOCK, timeout: TIMEOUT_MS });
  if (result.status === 'safe') return 'linear';
  return result.status === 'unknown'
    ? `unknown: ${result.error.kind}`
    : `${result.complexity.summary}, for example on ${result.attack.pattern}`;
}

describe('No regular expression takes more than linear time, whatever it is tried on', () => {
  it.each(regularExpressionsOf(['apps', 'libs']).map((found) => [`/${found.source}/${found.flags}`, found] as const))(
    '%s',
    (_, { source, flags, places }) => {
      expect(examine(source, flags), `in ${places.join(', ')}`).toBe('linear');
    },
    TIMEOUT_MS * 2,
  );
});

describe('The check', () => {
  it.each([
    ['a pattern that once found line breaks', String.raw`<(br|\/p|\/div|\/li|\/h\d)\b[^>]*>`, 'gi', '2nd degree'],
    ['one that once found pictures', String.raw`<img[^>]+src\s*=\s*["']?\s*(https?:|\/\/)`, 'i', '3rd degree'],
    ['two repetitions of the same', String.raw`^\s*(\S*\s*)$`, '', 'polynomial'],
    ['repetition at the end alone', String.raw`\/+$`, '', '2nd degree'],
    ['nested repetition', '^(a+)+$', '', 'exponential'],
  ])('refuses %s', (_, source, flags, complexity) => {
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
  ])('sees %s', (_, text, expected) => {
    expect(regularExpressionsIn('some.tsx', text).map(({ source, flags }) => `/${source}/${flags}`)).toEqual([
      expected,
    ]);
  });

  it('refuses a pattern that is put together while the program runs', () => {
    const text = 'export const find = (word: string) => new RegExp(`^${word}$`);';

    expect(() => regularExpressionsIn('some.ts', text)).toThrow(
      'some.ts: new RegExp(`^${word}$`) is not made of constants',
    );
  });
});
