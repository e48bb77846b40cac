import path from 'node:path';
import { Client } from 'pg';
import { rotateLog } from '../program.js';
import type { ProcessRegistry } from '../process-registry.js';
import { ManagedServer, type ServerPlace } from '../server.js';
import type { PostgresBinaries } from './binaries.js';

export interface Cluster {
  folder: string;
  password: string;
}

export const SUPERUSER = 'deskwire';
const DATABASE = 'deskwire';

/** The detail of an error quotes the values of a row, such as an e-mail address. */
const QUIET_LOG = ['log_error_verbosity=terse', 'log_parameter_max_length_on_error=0'];

// A crash of the machine can lose data. Commits stay synchronous, because tests kill servers and count what was
// acknowledged. The log is verbose, so that it shows the statement in which a process crashed.
const EPHEMERAL_OPTIONS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'log_error_verbosity=default'];

/** Starts a server on an existing data directory. */
export async function serveCluster(
  cluster: Cluster,
  place: ServerPlace,
  binaries: PostgresBinaries,
  processes: ProcessRegistry,
): Promise<ManagedServer> {
  const log = rotateLog(path.join(place.logs, 'postgres.log'));
  return ManagedServer.start(
    {
      program: (port) => ({
        name: 'PostgreSQL',
        tier: 'database',
        file: path.join(binaries.folder, 'postgres'),
        args: [...serverArguments(cluster.folder, port), ...(place.durable ? [] : EPHEMERAL_OPTIONS)],
        environment: { ...process.env, LC_ALL: 'C' },
        user: place.user,
        folder: '/',
        // A fast shutdown ends sessions. The default waits for every client to leave.
        stopSignal: 'SIGINT',
        graceMs: 15_000,
        log,
      }),
      url: (port) => `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${DATABASE}`,
      waitUntilAnswering: createDatabase,
    },
    processes,
  );
}

function serverArguments(folder: string, port: number): string[] {
  const settings = ['max_connections=300', 'timezone=UTC', 'unix_socket_directories=', ...QUIET_LOG];
  return ['-D', folder, '-p', `${port}`, '-h', '127.0.0.1', ...settings.flatMap((setting) => ['-c', setting])];
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
export async function connect(url: string, work: (client: Client) => Promise<unknown> = noWork): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // A connection that breaks while the server starts also rejects below.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const noWork = (): Promise<void> => Promise.resolve();
