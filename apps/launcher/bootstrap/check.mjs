import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './say.mjs';

const OXFMT = 'node_modules/oxfmt/bin/oxfmt';

const FORMATTING = { name: 'formatting', run: [OXFMT, '--check', '.'] };
const LINT = [
  { name: 'lint', run: ['node_modules/oxlint/bin/oxlint'] },
  { name: 'types', run: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'import rules',
    run: ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs'],
    folders: ['apps', 'libs', 'test', 'bench'],
  },
];

/**
 * Runs the checks and the tests, and everything even after a failure; with a path, only the tests of that path. The last
 * line is the result.
 */
export async function test(root, given, launch) {
  const wanted = given.filter((word) => word !== '--all');
  const failedChecks = wanted.length > 0 ? 0 : await countFailed(root, [FORMATTING, ...LINT]);
  const isShort = wanted.length === given.length && wanted.length === 0;
  const tests = await runTests(isShort ? withoutLong(root) : wanted, launch);
  if (failedChecks > 0) say(`${failedChecks} of the checks before the tests failed; each counts as one below`);
  const failed = tests.failed + failedChecks;
  if (isShort) say('the long tests were left out: npm test -- --all');
  console.log(`\n${tests.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Long files are not loaded at all: some start servers before their first test. */
function withoutLong(root) {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.spec.ts'),
  );
  const long = files.filter((file) => readFileSync(join(root, 'test', file), 'utf8').startsWith('// @module-tag long'));
  return ['--tags-filter=!long', ...long.map((file) => `--exclude=test/${file}`)];
}

export async function lint(root) {
  return (await countFailed(root, LINT)) === 0 ? 0 : 1;
}

export function format(root) {
  return runTool(root, [OXFMT, '.']);
}

const GENERATING = ['test/docs/generated.spec.ts', 'test/docs/examples.spec.ts', 'test/docs/mcp-guide.spec.ts'];

/** Writes the generated parts of the documents, and the examples of the API reference; `npm test` compares them. */
export function docs(launch) {
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...GENERATING, '--update'];
  return launch(['run', '--ephemeral', '--', ...vitest]);
}

/** Runs all checks at once, and prints the output of each as it ends. */
async function countFailed(root, checks) {
  say(`checking ${checks.map(({ name }) => name).join(', ')} …`);
  const passed = await Promise.all(checks.map((check) => passes(root, check)));
  return passed.filter((isPassed) => !isPassed).length;
}

async function passes(root, { name, run, folders = [] }) {
  const words = [...run, ...folders.filter((folder) => existsSync(join(root, folder)))];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status === 0) return true;
  process.stdout.write(Buffer.concat(output));
  say(`${name}: failed`);
  return false;
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
