import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { findPostgres } from '../../../apps/launcher/src/postgres/binaries.js';
import { chownTo, serverUser } from '../../../apps/launcher/src/system-user.js';
import { eventually } from '../../support/eventually.js';

/** A server that follows another one by streaming replication. */
export class Standby {
  private constructor(
    private readonly primaryUrl: string,
    private readonly folder: string,
    readonly port: number,
    private running: ChildProcess,
  ) {}

  static async of(primaryUrl: string): Promise<Standby> {
    const [folder, port] = [await copyOfFiles(primaryUrl), await freePort()];
    followPrimary(folder, new URL(primaryUrl));
    const standby = new Standby(primaryUrl, folder, port, start(folder, port));
    await standby.follows();
    return standby;
  }

  /** The address of the same database on this server. */
  urlOf(databaseUrl: string): string {
    return Object.assign(new URL(databaseUrl), { port: `${this.port}` }).href;
  }

  /** What was committed from now on is not to be seen here. */
  async pauseReplay(): Promise<void> {
    await this.ask('select pg_wal_replay_pause()');
    await eventually(
      async () => (await this.ask('select pg_get_wal_replay_pause_state() as state')).state === 'paused',
    );
  }

  async resumeReplay(): Promise<void> {
    await this.ask('select pg_wal_replay_resume() where pg_is_in_recovery()');
  }

  /** Ends everybody else's connections. */
  async endConnections(): Promise<void> {
    await this.ask(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
  }

  /** Connections stay open, and nothing answers any more, as of a host that vanished. */
  freeze(): void {
    this.signalAll('SIGSTOP');
  }

  thaw(): void {
    this.signalAll('SIGCONT');
  }

  /** It takes writes from now on. */
  async promote(): Promise<void> {
    await this.ask('select pg_promote(true)');
  }

  async kill(): Promise<void> {
    const exited = once(this.running, 'exit');
    this.running.kill('SIGQUIT');
    await exited;
  }

  async restart(): Promise<void> {
    this.running = start(this.folder, this.port);
    await this.follows();
  }

  async stop(): Promise<void> {
    if (this.running.exitCode === null && this.running.signalCode === null) await this.kill();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  /** Has everything that is committed on the primary. */
  async caughtUp(): Promise<void> {
    const { position } = await askOnce(this.primaryUrl, 'select pg_current_wal_flush_lsn()::text as position');
    await eventually(
      async () => (await this.ask(`select pg_last_wal_replay_lsn() >= '${String(position)}' as has`)).has === true,
    );
  }

  /**
   * From now on the primary answers a commit when it is to be seen here too. So what a test has done, by whomever, is in
   * the next list, while all lists are read from here.
   */
  async beWaitedFor(): Promise<void> {
    for (const setting of [`synchronous_commit = 'remote_apply'`, `synchronous_standby_names = '*'`])
      await askOnce(this.primaryUrl, `alter system set ${setting}`);
    await askOnce(this.primaryUrl, 'select pg_reload_conf()');
    await eventually(
      async () =>
        (await askOnce(this.primaryUrl, 'select sync_state from pg_stat_replication'))['sync_state'] === 'sync',
    );
  }

  private async follows(): Promise<void> {
    await eventually(
      async () => {
        if (this.running.exitCode !== null) throw new Error(fs.readFileSync(path.join(this.folder, 'log'), 'utf8'));
        const { receivers } = await this.ask('select count(*)::int as receivers from pg_stat_wal_receiver');
        return receivers === 1;
      },
      { withinMs: 20_000 },
    );
  }

  private ask(sql: string): Promise<Record<string, unknown>> {
    return askOnce(this.urlOf(this.primaryUrl), sql);
  }

  private signalAll(signal: NodeJS.Signals): void {
    const { pid } = this.running;
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const one of [pid!, ...children.map(Number)]) process.kill(one, signal);
  }
}

/** As `pg_basebackup` does it, which is not among the programs that tests have. */
async function copyOfFiles(primaryUrl: string): Promise<string> {
  const client = new Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder, pg_backup_start('standby', true)`,
    );
    const copy = `${rows[0]!.folder}.standby`;
    // As root the server has an account of its own, whose files they stay.
    execFileSync('cp', ['-a', rows[0]!.folder, copy]);
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeOwned(copy, 'backup_label', stopped.rows[0]!.labelfile);
    fs.rmSync(path.join(copy, 'postmaster.pid'), { force: true });
    return copy;
  } finally {
    await client.end();
  }
}

function followPrimary(folder: string, { hostname, port, username, password }: URL): void {
  const primary = `host=${hostname} port=${port} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  writeOwned(folder, 'standby.signal', '');
  writeOwned(folder, 'postgresql.auto.conf', `primary_conninfo = '${primary}'\n`);
}

function writeOwned(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text, { mode: 0o600 });
  chownTo(file, serverUser());
}

function start(folder: string, port: number): ChildProcess {
  const user = serverUser();
  const settings = ['max_connections=300', 'fsync=off', 'unix_socket_directories=', 'listen_addresses=127.0.0.1'];
  const words = ['-D', folder, '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])];
  const log = fs.openSync(path.join(folder, 'log'), 'a');
  return spawn(path.join(findPostgres(process.env, user).folder, 'postgres'), words, {
    stdio: ['ignore', log, log],
    env: { ...process.env, LC_ALL: 'C' },
    cwd: '/',
    ...user,
  });
}

async function askOnce(url: string, sql: string): Promise<Record<string, unknown>> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}
