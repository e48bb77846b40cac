import fs from 'node:fs';
import path from 'node:path';
import { describeExit, lastLines, spawnProgram } from '../program.js';
import type { ProcessRegistry } from '../process-registry.js';
import type { ServerPlace } from '../server.js';
import { chownTo } from '../system-user.js';
import { UserFacingError, printProgress } from '../terminal.js';
import { findPostgresToDump, majorOf, type PostgresBinaries } from './binaries.js';
import { type Cluster, clusterOf, createCluster, holdsCluster } from './cluster.js';
import { connect, serveCluster } from './server.js';

interface Upgrade {
  readonly from: { readonly cluster: Cluster; readonly binaries: PostgresBinaries };
  readonly to: { readonly cluster: Cluster; readonly binaries: PostgresBinaries };
  readonly place: ServerPlace;
  readonly processes: ProcessRegistry;
}

/**
 * An empty database beside the data of another major version would look as if all were lost. Earlier data is therefore
 * written down by its own version and read by this one; where that cannot be, nothing starts.
 */
export async function bringEarlierData(
  cluster: Cluster,
  place: ServerPlace,
  binaries: PostgresBinaries,
  processes: ProcessRegistry,
): Promise<boolean> {
  const other = newestOther(place.parent);
  if (other === undefined) return false;
  const from = clusterOf(place.parent, other);
  const own = majorOf(binaries);
  const dumping = other < own ? findPostgresToDump(other, process.env, place.user) : undefined;
  if (!dumping) throw new UserFacingError(refusal({ folder: from.folder, other, own }));
  await upgrade({
    from: { cluster: from, binaries: dumping },
    to: { cluster, binaries },
    place,
    processes,
  });
  return true;
}

function newestOther(parent: string): number | undefined {
  const majors = fs
    .readdirSync(parent)
    .map((name) => /^postgres-(\d+)$/.exec(name)?.[1])
    .filter((major) => major !== undefined && holdsCluster(path.join(parent, `postgres-${major}`)));
  return majors.length === 0 ? undefined : Math.max(...majors.map(Number));
}

function refusal({ folder, other, own }: { folder: string; other: number; own: number }): string {
  const what = `The data in ${folder} is of PostgreSQL ${other}, and this is PostgreSQL ${own}, which cannot open it.`;
  return other > own
    ? `${what} Start with PostgreSQL ${other} or newer: name the folder of its programs with PG_BIN.`
    : `${what} Install PostgreSQL ${other} with pg_dump, and the next start brings the data over; or keep to that version by naming the folder of its programs with PG_BIN.`;
}

/** The data is moved into place at the very end, so that whatever breaks before leaves all as it was. */
async function upgrade({ from, to, place, processes }: Upgrade): Promise<void> {
  printProgress(
    `PostgreSQL: bringing the data of version ${from.binaries.version} to ${to.binaries.version}; this can take minutes`,
  );
  const dump = path.join(place.parent, 'upgrade.dump');
  const draft = { ...to.cluster, folder: `${to.cluster.folder}.upgrade` };
  const tools = { binaries: from.binaries, place, processes };
  fs.rmSync(draft.folder, { recursive: true, force: true });
  fs.writeFileSync(dump, '', { mode: 0o600 });
  chownTo(dump, place.user);
  try {
    await whileServing(from.cluster, from.binaries, tools, (url) =>
      runTool('pg_dump', url, ['--format=custom', `--file=${dump}`], tools),
    );
    await createCluster(draft, place, to.binaries, processes);
    await whileServing(draft, to.binaries, tools, async (url) => {
      await runTool('pg_restore', url, ['--exit-on-error', '--no-owner', dump], tools);
      // A dump carries no statistics, and the first questions would be planned without any.
      await connect(url, (client) => client.query('analyze'));
    });
  } finally {
    fs.rmSync(dump, { force: true });
  }
  fs.renameSync(draft.folder, to.cluster.folder);
  const kept = `${from.cluster.folder}.before-${majorOf(to.binaries)}`;
  fs.renameSync(from.cluster.folder, kept);
  printProgress(`PostgreSQL: the data is here as it was; ${kept} holds it once more, and can be removed`);
}

interface Tools {
  readonly binaries: PostgresBinaries;
  readonly place: ServerPlace;
  readonly processes: ProcessRegistry;
}

async function whileServing(
  cluster: Cluster,
  binaries: PostgresBinaries,
  { place, processes }: Tools,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await serveCluster(cluster, place, binaries, processes);
  try {
    await work(server.url);
  } finally {
    await server.running.stop();
  }
}

async function runTool(name: 'pg_dump' | 'pg_restore', url: string, args: string[], tools: Tools): Promise<void> {
  const { binaries, place, processes } = tools;
  const log = path.join(place.logs, `${name}.log`);
  const address = new URL(url);
  // The list of processes shows arguments to everybody on the machine.
  const environment = { ...process.env, LC_ALL: 'C', PGPASSWORD: address.password };
  address.password = '';
  const exit = await spawnProgram(
    {
      name,
      tier: 'database',
      file: path.join(binaries.folder, name),
      args: [`--dbname=${address.href}`, ...args],
      environment,
      user: place.user,
      folder: '/',
      log,
    },
    processes,
  ).exited;
  if (exit.code !== 0)
    throw new UserFacingError(
      `The data of PostgreSQL ${binaries.version} could not be brought over, and is as it was: ${name} ${describeExit(exit)}.${lastLines(log)}`,
    );
}
