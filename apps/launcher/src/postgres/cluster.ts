import fs from 'node:fs';
import path from 'node:path';
import { makePrivateFolder, own, type Account } from '../account.js';
import { describeExit, lastLines, launch } from '../program.js';
import type { Roster } from '../roster.js';
import { Refusal } from '../say.js';
import { keptSecret } from '../secrets.js';
import type { PostgresBinaries } from './binaries.js';

export interface Cluster {
  folder: string;
  password: string;
}

export interface PostgresPlace {
  /** Holds the data directory. */
  parent: string;
  logs: string;
  account: Account | undefined;
  /** Whether it must outlive a crash of the machine. */
  durable: boolean;
}

export const SUPERUSER = 'deskwire';

const INITDB_OPTIONS = ['-E', 'UTF8', '--locale=C', '--no-sync'];

/** The data directory below `parent`: found, or made complete under another name and then moved into place. */
export async function openCluster(place: PostgresPlace, binaries: PostgresBinaries, roster: Roster): Promise<Cluster> {
  const { parent } = place;
  // Another major version cannot open it, so each has its own.
  const folder = path.join(parent, `postgres-${binaries.version.split('.')[0]}`);
  // Beside the data and not with the other secrets: whoever moves or removes one takes the other along.
  const password = keptSecret(path.join(parent, 'postgres.password'));
  if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) await initialise({ folder, password }, place, binaries, roster);
  removeStalePid(folder);
  return { folder, password };
}

async function initialise(
  { folder, password }: Cluster,
  place: PostgresPlace,
  binaries: PostgresBinaries,
  roster: Roster,
): Promise<void> {
  const draft = `${folder}.new`;
  fs.rmSync(draft, { recursive: true, force: true });
  makePrivateFolder(draft, place.account);
  const passwordFile = `${folder}.initial-password`;
  fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  own(passwordFile, place.account);
  const log = path.join(place.logs, 'initdb.log');
  const running = launch(
    {
      name: 'initdb',
      tier: 'database',
      file: path.join(binaries.folder, 'initdb'),
      args: ['-D', draft, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...INITDB_OPTIONS],
      environment: { ...process.env, LC_ALL: 'C' },
      account: place.account,
      folder: '/',
      stopSignal: 'SIGTERM',
      graceMs: 5_000,
      log,
    },
    roster,
  );
  const exit = await running.exited;
  fs.rmSync(passwordFile);
  if (exit.code !== 0) {
    throw new Refusal(
      `PostgreSQL could not create its data in ${folder}: initdb ${describeExit(exit)}.${lastLines(log)}`,
    );
  }
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
