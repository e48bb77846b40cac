import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { makePrivateFolder, own, type Account } from '../account.js';
import { Refusal } from '../say.js';
import { keptSecret } from '../secrets.js';
import type { PostgresBinaries } from './binaries.js';

export interface Cluster {
  folder: string;
  password: string;
}

export const SUPERUSER = 'deskwire';

/** The data directory below `parent`: found, or made complete under another name and then moved into place. */
export function openCluster(parent: string, binaries: PostgresBinaries, account: Account | undefined): Cluster {
  // Another major version cannot open it, so each has its own.
  const folder = path.join(parent, `postgres-${binaries.version.split('.')[0]}`);
  // Beside the data and not with the other secrets: whoever moves or removes one takes the other along.
  const password = keptSecret(path.join(parent, 'postgres.password'));
  if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) initialise(folder, password, binaries, account);
  removeStalePid(folder);
  return { folder, password };
}

function initialise(folder: string, password: string, binaries: PostgresBinaries, account: Account | undefined): void {
  const draft = `${folder}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  makePrivateFolder(draft, account);
  const passwordFile = `${folder}.initial-password`;
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  own(passwordFile, account);
  const args = ['-D', draft, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const { status, stderr, error } = spawnSync(
    path.join(binaries.folder, 'initdb'),
    [...args, '-E', 'UTF8', '--locale=C', '--no-sync'],
    { encoding: 'utf8', cwd: '/', env: { ...process.env, LC_ALL: 'C' }, ...account },
  );
  fs.rmSync(passwordFile);
  if (status !== 0)
    throw new Refusal(`PostgreSQL could not create its data in ${folder}: ${error?.message ?? stderr.trim()}`);
  fs.renameSync(draft, folder);
}

/**
 * Left by a crash, it names a process number that may by now belong to something else, and PostgreSQL would refuse to
 * start. We hold the lock and have swept, so a server that still runs here has the directory on its command line.
 */
function removeStalePid(folder: string): void {
  const file = path.join(folder, 'postmaster.pid');
  if (!fs.existsSync(file)) return;
  const pid = fs.readFileSync(file, 'utf8').split('\n')[0];
  const commandLine = `/proc/${pid}/cmdline`;
  if (
    process.platform === 'linux' &&
    !(fs.existsSync(commandLine) && fs.readFileSync(commandLine, 'utf8').includes(folder))
  ) {
    fs.rmSync(file);
  }
}
