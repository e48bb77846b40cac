import fs from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { ProcessRegistry } from '../process-registry.js';
import { describeExit, lastLines, rotateLog, spawnProgram } from '../program.js';
import { ManagedServer, type ServerPlace } from '../server.js';
import { chownTo, makePrivateFolder } from '../system-user.js';
import { UserFacingError } from '../terminal.js';
import { readOrCreateSecret } from '../work-directory.js';
import type { PostgresBinaries } from './binaries.js';

const SUPERUSER = 'deskwire';
const DATABASE = 'deskwire';
const PROGRAM = { tier: 'database', environment: { ...process.env, LC_ALL: 'C' }, folder: '/' } as const;

const SETTINGS = [
  'max_connections=300',
  'timezone=UTC',
  'unix_socket_directories=',
  // The detail of an error quotes the values of a row, such as an email address.
  'log_error_verbosity=terse',
  'log_parameter_max_length_on_error=0',
];

/**
 * A crash of the machine can lose data. Commits stay synchronous, because tests kill servers and count what was
 * acknowledged. The log is verbose, so that it shows the statement in which a process crashed.
 */
const EPHEMERAL_SETTINGS = [...SETTINGS, 'fsync=off', 'full_page_writes=off', 'log_error_verbosity=default'];

/** A measurement counts statements with it. It costs nothing until a session turns it on. */
const STATEMENT_COUNTER = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=none',
  'pg_stat_statements.track_utility=off',
];

/** Starts a server on the data of this version, and creates it if there is none. */
export async function startPostgres(
  binaries: PostgresBinaries,
  place: ServerPlace,
  processes: ProcessRegistry,
): Promise<ManagedServer> {
  const major = Number.parseInt(binaries.version, 10);
  // Each major version has its own folder, because no other version can open its data.
  const folder = path.join(place.parent, `postgres-${major}`);
  // In the same folder as the data, so that both are moved or removed together.
  const password = readOrCreateSecret(path.join(place.parent, 'postgres.password'));
  if (!holdsCluster(folder)) {
    refuseOtherVersions(place.parent, major);
    await createCluster({ folder, password }, place, binaries, processes);
  }
  removeStalePid(folder);
  const hasCounter = place.ephemeral && binaries.origin === 'embedded';
  const chosen = place.durable ? SETTINGS : EPHEMERAL_SETTINGS;
  const settings = [...chosen, ...(hasCounter ? STATEMENT_COUNTER : [])].flatMap((setting) => ['-c', setting]);
  const log = rotateLog(path.join(place.logs, 'postgres.log'));
  return ManagedServer.start(
    {
      program: (port) => ({
        ...PROGRAM,
        name: 'PostgreSQL',
        file: path.join(binaries.folder, 'postgres'),
        args: ['-D', folder, '-p', `${port}`, '-h', '127.0.0.1', ...settings],
        user: place.user,
        // A fast shutdown ends sessions. The default waits for every client to leave.
        stopSignal: 'SIGINT',
        graceMs: 15_000,
        log,
      }),
      url: (port) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`,
      waitUntilAnswering: createDatabase,
    },
    processes,
  );
}

const holdsCluster = (folder: string): boolean => fs.existsSync(path.join(folder, 'PG_VERSION'));

/** An empty database beside the data of another major version would look as if everything were lost. */
function refuseOtherVersions(parent: string, own: number): void {
  const folders = fs.readdirSync(parent).filter((name) => /^postgres-\d+$/.test(name));
  const name = folders.find((entry) => holdsCluster(path.join(parent, entry)));
  if (name === undefined) return;
  const other = name.slice('postgres-'.length);
  throw new UserFacingError(
    `The data in ${path.join(parent, name)} is from PostgreSQL ${other}, and this is PostgreSQL ${own}, which cannot open it. Set PG_BIN to the bin folder of PostgreSQL ${other}, or choose an empty folder with DATA_DIR and restore a dump into it.`,
  );
}

const INITDB_OPTIONS = ['-U', SUPERUSER, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '--no-sync'];

/** Creates the data directory under another name, then moves it into place. */
async function createCluster(
  { folder, password }: { folder: string; password: string },
  { user, logs }: ServerPlace,
  binaries: PostgresBinaries,
  processes: ProcessRegistry,
): Promise<void> {
  const draft = `${folder}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  makePrivateFolder(draft, user);
  const passwordFile = `${folder}.initial-password`;
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  chownTo(passwordFile, user);
  const log = path.join(logs, 'initdb.log');
  const file = path.join(binaries.folder, 'initdb');
  const args = ['-D', draft, `--pwfile=${passwordFile}`, ...INITDB_OPTIONS];
  const initdb = spawnProgram({ ...PROGRAM, name: 'initdb', file, args, user, graceMs: 5_000, log }, processes);
  const exit = await initdb.exited;
  fs.rmSync(passwordFile);
  if (exit.code !== 0)
    throw new UserFacingError(
      `PostgreSQL could not create its data in ${folder}: initdb ${describeExit(exit)}.${lastLines(log)}`,
    );
  fs.renameSync(draft, folder);
}

/**
 * After a crash postmaster.pid may name a process id that another program has by now, and PostgreSQL would not start. A
 * server that still runs has the folder on its command line.
 */
function removeStalePid(folder: string): void {
  const file = path.join(folder, 'postmaster.pid');
  if (process.platform !== 'linux' || !fs.existsSync(file)) return;
  const commandLine = `/proc/${fs.readFileSync(file, 'utf8').split('\n')[0]}/cmdline`;
  if (!fs.existsSync(commandLine) || !fs.readFileSync(commandLine, 'utf8').includes(folder)) fs.rmSync(file);
}

/** Resolves when the server takes connections and our database exists. */
function createDatabase(url: string): Promise<void> {
  const address = new URL(url);
  address.pathname = '/postgres';
  return connect(address.href, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
}

/** Resolves when a server takes connections at this address, and `work` is done. */
export async function connect(url: string, work?: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // A connection that breaks while the server starts also rejects below.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work?.(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
