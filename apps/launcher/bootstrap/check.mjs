import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './say.mjs';

const PRETTIER = 'node_modules/prettier/bin/prettier.cjs';

const FORMATTING = { name: 'formatting', run: [PRETTIER, '--check', '--log-level=warn', '.'] };
const LINT = [
  { name: 'lint', run: ['node_modules/oxlint/bin/oxlint'] },
  {
    name: 'import rules',
    run: ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs'],
    folders: ['apps', 'libs', 'test', 'bench'],
  },
];

/** Runs everything even after a failure. The last line is the result. */
export async function test(root, vitestArguments, launch) {
  const failedChecks = countFailed(root, [FORMATTING, ...LINT]);
  const tests = await runTests(vitestArguments, launch);
  if (failedChecks > 0) say(`${failedChecks} of the checks before the tests failed; each counts as one below`);
  const failed = tests.failed + failedChecks;
  console.log(`\n${tests.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

export function lint(root) {
  return countFailed(root, LINT) === 0 ? 0 : 1;
}

export function format(root) {
  return runTool(root, [PRETTIER, '--write', '--log-level=warn', '.']);
}

/** Writes the generated parts of the documents; `npm test` compares them. */
export function docs(root) {
  return runTool(root, ['node_modules/vitest/vitest.mjs', 'run', 'test/docs/generated.spec.ts', '--update']);
}

function countFailed(root, checks) {
  const failed = checks.filter(({ name, run, folders = [] }) => {
    say(`checking ${name} …`);
    const status = runTool(root, [...run, ...folders.filter((folder) => existsSync(join(root, folder)))]);
    if (status !== 0) say(`${name}: failed`);
    return status !== 0;
  });
  return failed.length;
}

function runTool(root, words) {
  return spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

async function runTests(vitestArguments, launch) {
  const scratch = mkdtempSync(join(tmpdir(), 'deskwire-report-'));
  const report = join(scratch, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...reporters, ...vitestArguments];
  try {
    const exitCode = await launch(['run', '--ephemeral', '--', ...vitest]);
    return count(report, exitCode);
  } catch (error) {
    say(`the tests did not run: ${error.message}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function count(report, exitCode) {
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that does not load has no failed test.
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = numFailedTests + unloaded.length;
  // An error outside every test (an unhandled rejection) fails the run, but no test.
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
