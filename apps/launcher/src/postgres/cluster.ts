import fs from 'node:fs';
import path from 'node:path';
import { makePrivateFolder, chownTo } from '../system-user.js';
import { describeExit, lastLines, spawnProgram } from '../program.js';
import type { ProcessRegistry } from '../process-registry.js';
import type { ManagedServer, ServerPlace } from '../server.js';
import { UserFacingError } from '../terminal.js';
import { readOrCreateSecret } from '../work-directory.js';
import { majorOf, type PostgresBinaries } from './binaries.js';
import { type Cluster, SUPERUSER, serveCluster } from './server.js';

/** Starts a server on the data of this version, and creates it if there is none. */
export async function startPostgres(
  binaries: PostgresBinaries,
  place: ServerPlace,
  processes: ProcessRegistry,
): Promise<ManagedServer> {
  const cluster = clusterOf(place.parent, majorOf(binaries));
  if (!holdsCluster(cluster.folder)) {
    refuseOtherVersions(place.parent, majorOf(binaries));
    await createCluster(cluster, place, binaries, processes);
  }
  removeStalePid(cluster.folder);
  return serveCluster(cluster, place, binaries, processes);
}

/** An empty database beside the data of another major version would look as if everything were lost. */
function refuseOtherVersions(parent: string, own: number): void {
  const name = fs
    .readdirSync(parent)
    .find((entry) => /^postgres-\d+$/.test(entry) && holdsCluster(path.join(parent, entry)));
  if (name === undefined) return;
  const other = name.slice('postgres-'.length);
  throw new UserFacingError(
    `The data in ${path.join(parent, name)} is from PostgreSQL ${other}, and this is PostgreSQL ${own}, which cannot open it. Set PG_BIN to the bin folder of PostgreSQL ${other}, or choose an empty folder with DATA_DIR and restore a dump into it.`,
  );
}

const INITDB_OPTIONS = ['-E', 'UTF8', '--locale=C', '--no-sync'];

/** Each major version has its own folder, because no other version can open its data. */
function clusterOf(parent: string, major: number): Cluster {
  // In the same folder as the data, so that both are moved or removed together.
  const password = readOrCreateSecret(path.join(parent, 'postgres.password'));
  return { folder: path.join(parent, `postgres-${major}`), password };
}

function holdsCluster(folder: string): boolean {
  return fs.existsSync(path.join(folder, 'PG_VERSION'));
}

/** Creates the data directory under another name, then moves it into place. */
async function createCluster(
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
 * After a crash postmaster.pid may name a process id that another program has by now, and PostgreSQL would not start. A
 * server that still runs has the folder on its command line.
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
