// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { EMAIL, TIME } from '../../apps/api/src/layers/edge/field-patterns.js';
import { regularExpressionsOf } from './regular-expressions.js';

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

const PATTERNS = regularExpressionsOf(['apps', 'libs']);

it('finds literals and constant patterns of the product', () => {
  expect(PATTERNS.length).toBeGreaterThan(200);
  expect(PATTERNS.map(({ source }) => source)).toEqual(expect.arrayContaining([EMAIL.source, TIME.source]));
});

describe('a regular expression takes linear time on any input', () => {
  it.each(PATTERNS.map((found) => [`/${found.source}/${found.flags}`, found] as const))(
    '%s',
    (_, { source, flags, places }) => {
      expect(examine(source, flags), `in ${places.join(', ')}`).toBe('linear');
    },
    TIMEOUT_MS * 2,
  );
});
