import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BLOCKS } from './guide.js';
import { LANGUAGE_FILES, type Language, SPOKEN, findProgram, inFolder, run, save, verdictsOf } from './languages.js';
import { RECEIVERS } from './receiver-programs.js';
import { type SignedCase, oddCases, relabelledCases, signedCases } from './signed-cases.js';

/** A first build of Go's standard library may take this long on a small machine. */
const BUILD_TIMEOUT_MS = 240_000;

async function titledVerdicts(language: Language, cases: readonly SignedCase[]): Promise<unknown> {
  const verdicts = await verdictsOf(language, cases);
  return cases.map(({ title }, index) => [title, verdicts[index]]);
}

describe('the code in docs/webhooks-verify.md', () => {
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
});

/** Blocks that no test of this repository can run, except for their syntax. */
const FRAMEWORK_FILES = /^(?:app|bootstrap|config|database|db|routes)\//;

const TESTED_ELSEWHERE = [
  'crm-sync.mjs',
  'expected.sh',
  'first-request.sh',
  'first-ticket.sh',
  'first-webhook.sh',
  'open-tickets.sql',
  'own-changes.mjs',
  'own_changes.py',
  'postgres-mirror.mjs',
  'register-slack.sh',
  'register.mjs',
  'register.sh',
  'slack.mjs',
];

describe('the code of the guides', () => {
  it('has no block without a test', () => {
    const known = new Set([...LANGUAGE_FILES, ...RECEIVERS.flatMap(({ files }) => files), ...TESTED_ELSEWHERE]);
    const unknown = BLOCKS.filter(({ language, marks }) => {
      const isShown = language === 'http' || marks['record'] !== undefined || marks['vector'] !== undefined;
      const isCommand = language === 'sh' && marks['file'] === undefined;
      const file = marks['file'] ?? '';
      return !isShown && !isCommand && !known.has(file) && !FRAMEWORK_FILES.test(file);
    });

    expect(unknown).toEqual([]);
  });

  it.each([
    ['ruby', '-c'],
    ['php', '-l'],
  ] as const)('has valid files of frameworks in %s, where it is installed', async (language, check) => {
    const program = findProgram(language);
    const files = BLOCKS.filter(
      (block) => block.language === language && FRAMEWORK_FILES.test(block.marks['file'] ?? ''),
    );
    expect(files.length).toBeGreaterThan(3);
    if (program === null) return;
    await inFolder(async (folder) => {
      for (const { marks } of files) await run({ program, args: [check, save(folder, marks['file']!)], folder });
    });
  });
});
