import fs from 'node:fs';
import path from 'node:path';
import { makePrivateFolder, chownTo } from '../system-user.js';
import { describeExit, lastLines, spawnProgram } from '../program.js';
import type { ProcessRegistry } from '../process-registry.js';
import type { ServerPlace } from '../server.js';
import { UserFacingError } from '../terminal.js';
import { readOrCreateSecret } from '../secrets.js';
import type { PostgresBinaries } from './binaries.js';

export interface Cluster {
  folder: string;
  password: string;
}

export const SUPERUSER = 'deskwire';

const INITDB_OPTIONS = ['-E', 'UTF8', '--locale=C', '--no-sync'];

/** Where a major version keeps its data: another one cannot open it, so each has its own. */
export function clusterOf(parent: string, major: number): Cluster {
  // Beside the data, so that both are moved or removed together.
  const password = readOrCreateSecret(path.join(parent, 'postgres.password'));
  return { folder: path.join(parent, `postgres-${major}`), password };
}

export function holdsCluster(folder: string): boolean {
  return fs.existsSync(path.join(folder, 'PG_VERSION'));
}

/** Makes the data directory under another name, and then moves it into place. */
export async function createCluster(
  { folder, password }: Cluster,
  place: ServerPlace,
  binaries: PostgresBinaries,
  processes: ProcessRegistry,
): Promise<void> {
  const draft = `${folder}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  makePrivateFolder(draft, place.user);
  const passwordFile = `${folder}.initial-password`;
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  chownTo(passwordFile, place.user);
  const log = path.join(place.logs, 'initdb.log');
  const running = spawnProgram(
    {
      name: 'initdb',
      tier: 'database',
      file: path.join(binaries.folder, 'initdb'),
      args: ['-D', draft, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...INITDB_OPTIONS],
      environment: { ...process.env, LC_ALL: 'C' },
      user: place.user,
      folder: '/',
      graceMs: 5_000,
      log,
    },
    processes,
  );
  const exit = await running.exited;
  fs.rmSync(passwordFile);
  if (exit.code !== 0) {
    throw new UserFacingError(
      `PostgreSQL could not create its data in ${folder}: initdb ${describeExit(exit)}.${lastLines(log)}`,
    );
  }
  fs.renameSync(draft, folder);
}

/**
 * After a crash it names a process number that another process may have by now, and PostgreSQL would refuse to start. A
 * server that still runs here has the directory on its command line.
 */
export function removeStalePid(folder: string): void {
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
