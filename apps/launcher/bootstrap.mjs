#!/usr/bin/env node
// This runs first in a fresh clone, so it uses only what is part of Node.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './bootstrap/build.mjs';
import { docs, format, lint, test } from './bootstrap/check.mjs';
import { readEnvFile } from './bootstrap/env-file.mjs';
import { printHelp, printOverview } from './bootstrap/help.mjs';
import { installDependencies } from './bootstrap/install.mjs';
import { sbom } from './bootstrap/sbom.mjs';
import { UserFacingError, say } from './bootstrap/say.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Programs with a command of their own. With `servers` they run under the launcher, which gets these options. */
const PROGRAMS = {
  cli: { file: 'dist/cli.js', servers: ['--existing'] },
  doctor: { file: 'dist/cli.js', words: ['doctor'], servers: ['--existing'], judgesEnvironment: true },
  demo: { file: 'dist/apps/cli/src/demo.js', servers: ['--existing'] },
  worker: { file: 'dist/worker.js', servers: [], runsAsProduct: true },
  receiver: { file: 'dist/apps/receiver/src/main.js' },
  listen: { file: 'dist/libs/sdk/src/command/main.js', words: ['listen'] },
  faults: { file: 'dist/test/faults/campaign/main.js', servers: ['--ephemeral'] },
  fuzz: { file: 'dist/test/fuzz/main.js', servers: ['--ephemeral'] },
  schemathesis: { file: 'dist/test/fuzz/schemathesis.js', servers: ['--ephemeral'] },
  mutation: { file: 'dist/test/mutation/main.js', servers: ['--ephemeral'] },
  bench: { file: 'dist/bench/main.js', servers: ['--ephemeral', '--durable'], runsAsProduct: true },
};

const SCREENSHOTS = { file: 'dist/test/docs/screenshots.js', servers: ['--ephemeral'] };

const COMMANDS = {
  start: (args) => launch(['start', ...args]),
  dev: (args) => launch(['dev', ...args]),
  test: (args) => test(root, args, launch),
  'run-ephemeral': runEphemeral,
  build: () => build(root),
  lint: () => lint(root),
  format: () => format(root),
  docs: ([what]) => (what === 'screenshots' ? run(SCREENSHOTS, []) : docs(launch)),
  sbom: () => sbom(root),
  ...Object.fromEntries(Object.entries(PROGRAMS).map(([name, program]) => [name, (args) => run(program, args)])),
  cli: (args) => (args[0] === 'doctor' ? run(PROGRAMS.doctor, args.slice(1)) : run(PROGRAMS.cli, args)),
};

/** These commands work on the data of this folder. The others have their own servers and ignore `.env`. */
const READS_ENV_FILE = new Set(['start', 'dev', 'cli', 'doctor', 'demo', 'worker']);

process.exitCode = await main(process.argv.slice(2)).catch(printError);

async function main([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) return printOverview(name === '--help' || name === '-h' ? 0 : 2);
  if (asksForHelp(args) && printHelp(name)) return 0;
  refuseUnsupported();
  process.chdir(root);
  endWithNpm();
  if (READS_ENV_FILE.has(name)) readEnvFile(root);
  await installDependencies(root);
  return command(args);
}

function asksForHelp([first]) {
  return isHelp(first);
}

function isHelp(word) {
  return word === '--help' || word === '-h';
}

function refuseUnsupported() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new UserFacingError(
      `Node ${process.versions.node} is too old: install Node 20.19 or newer (https://nodejs.org).`,
    );
  }
  if (process.platform === 'win32') {
    throw new UserFacingError('Windows is not supported directly: run this inside WSL 2, or use docker compose.');
  }
}

async function launch(args) {
  await build(root);
  const { launcher } = await import('../../dist/apps/launcher/src/main.js');
  return launcher(args);
}

function runEphemeral(args) {
  const cut = args.indexOf('--');
  if (cut < 0 || cut === args.length - 1)
    throw new UserFacingError('Name the command after two dashes: run-ephemeral -- npx vitest run path');
  return launch(['run', '--ephemeral', ...args.slice(0, cut), '--', ...args.slice(cut + 1)]);
}

async function run({ file, words = [], servers, runsAsProduct, judgesEnvironment }, given) {
  await build(root);
  const args = [...words, ...given];
  // The launcher would fill in missing settings, which the doctor is meant to find.
  const asItIs = judgesEnvironment && (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE);
  if (!servers || asItIs || given.some(isHelp)) return runHere(join(root, file), args);
  const { PROCESS_FLAGS } = await import('../../dist/apps/launcher/src/load-program.js');
  return launch(['run', ...servers, '--', process.execPath, ...(runsAsProduct ? PROCESS_FLAGS : []), file, ...args]);
}

async function runHere(file, args) {
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
  return process.exitCode;
}

/** npm passes a signal only to its shell, which dies. This process only sees that its parent has changed. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

/** An error that the user can fix is one sentence. Any other error keeps its stack. */
function printError(error) {
  if (error?.name === 'UserFacingError') say(error.message);
  else console.error(error);
  return 1;
}
