import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserFacingError, say } from './say.mjs';

/** Installs what package-lock.json lists, if it is not installed. */
export async function installDependencies(root) {
  const modules = join(root, 'node_modules');
  // `npm ci` would empty the other checkout that a link leads to.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  if (installedMatchesLock(root)) return;
  say('installing dependencies (npm ci) …');
  await npmCi(root);
}

/** npm keeps a list of what it has installed. */
function installedMatchesLock(root) {
  const listing = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(listing)) return false;
  const installed = JSON.parse(readFileSync(listing, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, peer }]) => {
    if (path === '') return true;
    return path in installed ? installed[path].version === version : Boolean(optional || devOptional || peer);
  });
}

export function npmProgram() {
  return process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
}

async function npmCi(root) {
  const [program, ...first] = npmProgram();
  const child = spawn(program, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Its own process group, so that its children can be stopped with it.
    detached: true,
    // NODE_ENV=production would leave out the compiler.
    env: { ...process.env, NODE_ENV: 'development', npm_config_omit: '', npm_config_include: 'dev,optional' },
  });
  const { code, interrupted } = await endOf(child);
  if (interrupted) throw new UserFacingError('the installation was interrupted; the next command begins it again.');
  if (code === 127)
    throw new UserFacingError('npm was not found on PATH: install it together with Node 20.19 or newer.');
  if (code !== 0)
    throw new UserFacingError(
      'npm ci failed (see above): check that the npm registry is reachable and this folder writable. ENOTEMPTY means that another npm is at work in this folder: wait until it ends, and try again.',
    );
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Waits until npm has stopped: an orphan would write into the next installation. */
async function endOf(child) {
  let asked = 0;
  const passOn = () => {
    asked += 1;
    if (child.pid) killGroup(child.pid, asked === 1 ? 'SIGTERM' : 'SIGKILL');
  };
  for (const signal of SIGNALS) process.on(signal, passOn);
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (status) => resolve(status ?? 1));
  });
  for (const signal of SIGNALS) process.off(signal, passOn);
  return { code, interrupted: asked > 0 };
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
