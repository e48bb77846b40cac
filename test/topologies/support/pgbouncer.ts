import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { serverUser } from '../../../apps/launcher/src/system-user.js';
import { withClient } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { unpackedProgram } from './debian-packages.js';

/** The first version whose transaction mode supports named prepared statements. */
const NEEDED = [1, 21];

/** From trixie, because that of bookworm is too old. */
const PACKAGES = {
  suite: 'trixie',
  names:
    'pgbouncer libc6 libcares2 libevent-2.1-7t64 libpam0g libssl3t64 libsystemd0 libcap2 libaudit1 libcap-ng0'.split(
      ' ',
    ),
};

/** Fewer than the connections of two processes, so that they must share. */
export const POOL_SIZE = 4;

/** A PgBouncer in transaction mode, in front of every database of one server. */
export class PgBouncer {
  private constructor(
    private readonly folder: string,
    private readonly serverUrl: string,
    readonly port: number,
    private running: ChildProcess,
  ) {}

  static async inFrontOf(serverUrl: string): Promise<PgBouncer> {
    const port = await freePort();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-pgbouncer-'));
    const user = serverUser();
    for (const [name, text] of Object.entries(configuration(new URL(serverUrl), folder, port)))
      fs.writeFileSync(path.join(folder, name), text);
    if (user) for (const place of [folder, ...filesIn(folder)]) fs.chownSync(place, user.uid, user.gid);
    const pooler = new PgBouncer(folder, serverUrl, port, start(folder));
    await pooler.answers();
    return pooler;
  }

  /** The address of the same database through the pooler. */
  urlOf(databaseUrl: string): string {
    return Object.assign(new URL(databaseUrl), { port: `${this.port}` }).href;
  }

  /** Connections stay open without answers, as if the host had vanished. */
  freeze(): void {
    this.running.kill('SIGSTOP');
  }

  thaw(): void {
    this.running.kill('SIGCONT');
  }

  async restart(): Promise<void> {
    await this.end();
    this.running = start(this.folder);
    await this.answers();
  }

  async stop(): Promise<void> {
    await this.end();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private async end(): Promise<void> {
    const exited = once(this.running, 'exit');
    this.thaw();
    // Stops at once, despite open connections.
    this.running.kill('SIGQUIT');
    await exited;
  }

  private async answers(): Promise<void> {
    await eventually(async () => {
      if (this.running.exitCode !== null) throw new Error(fs.readFileSync(path.join(this.folder, 'log'), 'utf8'));
      return withClient(this.urlOf(this.serverUrl), () => Promise.resolve(true));
    });
  }
}

function start(folder: string): ChildProcess {
  const [program = '', ...words] = command();
  const child = spawn(program, [...words, '--quiet', path.join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...serverUser(),
  });
  child.on('error', () => undefined);
  return child;
}

/** The installed version if it is new enough. */
function command(): string[] {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  const isNew = Number(major) > NEEDED[0]! || (Number(major) === NEEDED[0] && Number(minor) >= NEEDED[1]!);
  return isNew ? ['pgbouncer'] : unpackedProgram(PACKAGES, 'usr/sbin/pgbouncer');
}

function configuration({ hostname, port, username, password }: URL, folder: string, listenPort: number) {
  return {
    'users.txt': `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
    'pgbouncer.ini': `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 200
max_prepared_statements = 200
logfile = ${folder}/log
`,
  };
}

const filesIn = (folder: string): string[] => fs.readdirSync(folder).map((name) => path.join(folder, name));
