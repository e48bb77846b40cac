import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PARTS, PART_NAMES, type Part, type PartName } from './parts.js';

/** Percentage of the changes that tests must notice in each part. */
const MIN_SCORE = 90;

const HELP = `Changes the code in small ways, one at a time, and runs the tests of that part. A change that no test notices survives
and is listed. Ends with code 1 when less than ${MIN_SCORE} % of the changes of a part are noticed. Reports go to a temporary folder.
Runs its own PostgreSQL.

  npm run mutation                              all parts
  npm run mutation -- retry-policy              one part (${PART_NAMES.join(', ')})
  npm run mutation -- retry-policy signature    some of them
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h', default: false } },
});

if (values.help) process.stdout.write(HELP);
else process.exitCode = runParts(positionals);

function runParts(names: readonly string[]): number {
  const unknown = names.filter((name) => !isPartName(name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no part ${unknown.join(', ')}. Parts: ${PART_NAMES.join(', ')}\n`);
    return 2;
  }
  const reports = mkdtempSync(path.join(os.tmpdir(), 'deskwire-mutation-'));
  const wanted = names.length > 0 ? names.filter(isPartName) : PART_NAMES;
  const failed = wanted.filter((name) => !runPart(name, PARTS[name], reports));
  process.stdout.write(`Reports: ${reports}\n${failed.length > 0 ? `Failed: ${failed.join(', ')}\n` : ''}`);
  return failed.length === 0 ? 0 : 1;
}

function isPartName(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

function runPart(name: PartName, { code, specs }: Part, reports: string): boolean {
  process.stdout.write(`\n${name}\n`);
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'deskwire-mutants-'));
  try {
    const config = path.join(scratch, 'stryker.json');
    writeFileSync(config, JSON.stringify(optionsOf(code, scratch, path.join(reports, name))));
    const stryker = 'node_modules/@stryker-mutator/core/bin/stryker.js';
    const env = { ...process.env, MUTATION_SPECS: specs.join(' ') };
    return spawnSync(process.execPath, [stryker, 'run', config], { env, stdio: 'inherit' }).status === 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function optionsOf(code: readonly string[], scratch: string, report: string) {
  return {
    mutate: code,
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    // Vitest checks no types.
    disableTypeChecks: false,
    concurrency: Math.max(1, os.availableParallelism() - 1),
    // Stryker changes a copy of the project. Threads of the API run from its dist.
    tempDirName: path.join(scratch, 'copy'),
    ignorePatterns: ['.data', 'docs', 'bench'],
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    clearTextReporter: { reportTests: false, logTests: false, allowEmojis: false },
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    thresholds: { high: MIN_SCORE, low: MIN_SCORE, break: MIN_SCORE },
    allowConsoleColors: false,
  };
}
