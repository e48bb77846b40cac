#!/usr/bin/env node
// The first thing that runs in a fresh clone, so it may use nothing that is not part of Node.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './bootstrap/build.mjs';
import { check } from './bootstrap/check.mjs';
import { installDependencies } from './bootstrap/install.mjs';
import { Refusal, say } from './bootstrap/say.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Programs of the project that a person runs by name: each is a built file, run against the servers it needs. */
const PROGRAMS = {
  cli: { file: 'dist/apps/cli/src/main.js', servers: 'own', about: 'the operator’s commands' },
  worker: {
    file: 'dist/apps/worker/src/main.js',
    flags: ['--v8-pool-size=1', '--max-semi-space-size=32'],
    servers: 'own',
    about: 'one more worker beside a running `start`',
  },
  receiver: { file: 'dist/apps/receiver/src/main.js', servers: 'none', about: 'print the webhooks that arrive' },
  faults: {
    file: 'dist/test/faults/campaign/main.js',
    servers: 'throw-away',
    about: 'break the product at random moments and count what it loses',
  },
  bench: {
    file: 'dist/bench/main.js',
    flags: ['--v8-pool-size=1', '--max-semi-space-size=32'],
    servers: 'measured',
    about: 'measure the delivery pipeline',
  },
};

const FLAGS = { own: [], 'throw-away': ['--ephemeral'], measured: ['--ephemeral', '--durable'] };

const COMMANDS = {
  start: { run: (args) => launch(['start', ...args]), about: 'start the databases, the API and a worker' },
  test: {
    run: (args) => check(root, args, launch),
    about: 'check formatting, lint, imports and types, then run the tests',
  },
  'run-ephemeral': { run: runEphemeral, about: 'run one command against throw-away databases' },
  ...Object.fromEntries(
    Object.entries(PROGRAMS).map(([name, program]) => [
      name,
      { run: (args) => run(program, args), about: program.about },
    ]),
  ),
};

process.exitCode = await main(process.argv.slice(2)).catch(explain);

async function main([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command || (!(name in PROGRAMS) && asksForHelp(args))) return help(command ? 0 : 2);
  refuseUnsupported();
  process.chdir(root);
  endWithNpm();
  await installDependencies(root);
  return command.run(args);
}

/** After `--` the words belong to the command that is run. */
function asksForHelp(args) {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return own[0] === '--help' || own[0] === '-h';
}

function refuseUnsupported() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Refusal(`Node ${process.versions.node} is too old: install Node 20.19 or newer (https://nodejs.org).`);
  }
  if (process.platform === 'win32') {
    throw new Refusal('Windows is not supported directly: run this inside WSL 2, or use docker compose.');
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
    throw new Refusal('Name the command after two dashes: run-ephemeral -- vitest run path');
  return launch(['run', '--ephemeral', ...args.slice(0, cut), '--', ...args.slice(cut + 1)]);
}

async function run(program, args) {
  await build(root);
  const file = join(root, program.file);
  if (!existsSync(file)) throw new Refusal(`${program.file} is not part of this version.`);
  if (program.servers === 'none' || asksForHelp(args)) return runHere(file, args);
  return launch(['run', ...FLAGS[program.servers], '--', process.execPath, ...(program.flags ?? []), file, ...args]);
}

async function runHere(file, args) {
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
  return process.exitCode;
}

/** npm passes a signal on to its shell, which dies of it and tells nobody; only the change of parent shows. */
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

function help(exitCode) {
  const rows = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(15)}${about}`);
  console.log(`Deskwire. Usage: node apps/launcher/bootstrap.mjs <command> [arguments]

${rows.join('\n')}

\`npm start\` and \`npm test\` are the first two. Both install what is missing, build what is stale, and use PostgreSQL and
Redis from DATABASE_URL and REDIS_URL if those are set; otherwise they start their own on 127.0.0.1.

  npm test -- path/to/some.spec.ts           arguments after -- go to vitest
  node apps/launcher/bootstrap.mjs run-ephemeral -- npx vitest run path
                                             the tests alone, without the other checks
  run-ephemeral --no-redis -- …              the same with the queue in PostgreSQL
  run-ephemeral --durable -- …               the same with every commit on disk, for measurements

Environment: PORT (3000), HOST (127.0.0.1), DATA_DIR (.data), DATABASE_URL, REDIS_URL, PG_BIN (a directory with
initdb and postgres), REDIS_SERVER (a redis-server or valkey-server program).`);
  return exitCode;
}

/** What the person can change is one sentence; anything else is our mistake and keeps its stack. */
function explain(error) {
  if (error?.name === 'Refusal') say(error.message);
  else console.error(error);
  return 1;
}
