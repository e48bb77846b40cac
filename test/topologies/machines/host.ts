import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { DebianSystem } from './debian-system.js';
import type { Place } from './network.js';

/** `/srv` is the folder of the host; the rest of the system is shared. The mounts end with the program. */
const ENTER = `root=$1 folder=$2 user=$3; shift 3
mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" && mount --bind "$folder" "$root/srv" &&
exec chroot --userspec="$user" "$root" "$@"`;

const ENVIRONMENT = {
  PATH: '/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
  HOME: '/srv',
};

export interface Command {
  readonly program: string;
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A machine: its own address and folder, and the programs that run there. */
export class Host implements Place {
  readonly namespace: string;
  readonly address: string;
  readonly folder: string;

  constructor(
    readonly name: string,
    place: Place,
    private readonly parts: { readonly system: DebianSystem; readonly folder: string },
  ) {
    this.namespace = place.namespace;
    this.address = place.address;
    this.folder = path.join(parts.folder, name);
    fs.mkdirSync(this.folder);
    this.give('');
  }

  /** A file below `/srv`. */
  write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.folder, name), text, { mode: 0o600 });
    this.give(name);
  }

  makeFolder(name: string): void {
    fs.mkdirSync(path.join(this.folder, name), { mode: 0o700 });
    this.give(name);
  }

  rename(from: string, to: string): void {
    fs.renameSync(path.join(this.folder, from), path.join(this.folder, to));
  }

  remove(name: string): void {
    fs.rmSync(path.join(this.folder, name), { recursive: true, force: true });
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Runs a program of Debian as the account of the servers. Its output is kept below `/srv`. */
  run(name: string, { program, words, environment = {} }: Command): HostedProgram {
    const { root, user } = this.parts.system;
    const entered = ['sh', '-c', ENTER, 'sh', root, this.folder, user, program, ...words];
    return this.start(name, entered, { ...ENVIRONMENT, ...environment });
  }

  /** Runs it to its end. */
  async runOnce(name: string, command: Command): Promise<void> {
    const code = await this.run(name, command).exited;
    if (code !== 0)
      throw new Error(`${name} on ${this.name} ended with ${code}: ${this.read(`${name}.log`).slice(-2000)}`);
  }

  /** A program of this machine that shares only the host's network. */
  start(name: string, command: readonly string[], environment: Readonly<Record<string, string>>): HostedProgram {
    const log = fs.openSync(path.join(this.folder, `${name}.log`), 'a');
    const child = spawn('ip', ['netns', 'exec', this.namespace, ...command], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    return new HostedProgram(child);
  }

  private give(name: string): void {
    const [uid, gid] = this.parts.system.user.split(':').map(Number);
    fs.chownSync(path.join(this.folder, name), uid!, gid!);
  }
}

export class HostedProgram {
  readonly exited: Promise<number | null>;

  constructor(readonly child: ChildProcess) {
    child.on('error', () => undefined);
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.hasEnded) return;
    this.signal('SIGCONT');
    this.signal(signal);
    await this.exited;
  }
}
