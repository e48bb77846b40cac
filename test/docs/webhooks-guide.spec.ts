import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BLOCKS } from './guide.js';
import { LANGUAGE_FILES, type Language, SPOKEN, verdictsOf } from './languages.js';
import { type SignedCase, oddCases, relabelledCases, signedCases } from './signed-cases.js';

/** A first build of Go's standard library may take this long on a small machine. */
const BUILD_TIMEOUT_MS = 240_000;

async function titledVerdicts(language: Language, cases: readonly SignedCase[]): Promise<unknown> {
  const verdicts = await verdictsOf(language, cases);
  return cases.map(({ title }, index) => [title, verdicts[index]]);
}

describe('the code in docs/webhooks.md', () => {
  it.each(SPOKEN.map((language) => [language.name, language] as const))(
    'accepts our signatures and refuses all else, in %s',
    async (_name, language) => {
      const cases = [...signedCases(), ...relabelledCases(), ...oddCases()];

      expect(await titledVerdicts(language, cases)).toEqual(cases.map(({ title, accepted }) => [title, accepted]));
    },
    BUILD_TIMEOUT_MS,
  );

  it('runs in JavaScript, and in Python if it is installed', () => {
    const expected = ['JavaScript', ...(existsSync('/usr/bin/python3') ? ['Python'] : [])];

    expect(SPOKEN.map(({ name }) => name)).toEqual(expect.arrayContaining(expected));
  });

  it('has no block without a test', () => {
    const known = new Set([...LANGUAGE_FILES, 'receiver.mjs', 'expected.sh']);
    const unknown = BLOCKS.filter(({ language, marks }) => {
      const shown = language === 'http' || marks['record'] !== undefined || marks['vector'] !== undefined;
      return !shown && !known.has(marks['file'] ?? '');
    });

    expect(unknown).toEqual([]);
  });
});
