import fs from 'node:fs';
import path from 'node:path';
import { spawn, type ChildProcess, spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { UserFacingError, printProgress } from './terminal.js';

/** Apps stop first, then the queue, then the database. */
type StopTier = 'database' | 'queue' | 'app';

export type StopOptions = { tier: StopTier; stopSignal: NodeJS.Signals; graceMs: number };

export type RegisteredProcess = ProcessIdentity & StopOptions & { name: string };

const REGISTRY_FILE = 'processes.json';
const STOP_ORDER: StopTier[] = ['app', 'queue', 'database'];

/**
 * The processes that the launcher has started. The list is in two places, so that nothing is left behind: the watchdog
 * stops what is on it when the launcher is gone, and the next start reads it from a file when both are gone.
 */
export class ProcessRegistry {
  private readonly entries: RegisteredProcess[] = [];
  private readonly watchdog: ChildProcess;
  closed = false;

  constructor(
    private readonly folder: string,
    removeAtEnd: string[],
  ) {
    const program = fileURLToPath(new URL('watchdog.js', import.meta.url));
    this.watchdog = spawn(process.execPath, [program, ...removeAtEnd], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.watchdog.on('error', (error) => printProgress(`no watchdog: ${error.message}`));
    this.watchdog.stdin?.on('error', () => undefined);
    this.watchdog.unref();
  }

  add(pid: number, { name, tier, stopSignal, graceMs }: StopOptions & { name: string }): void {
    this.entries.push({ ...identifyProcess(pid), name, tier, stopSignal, graceMs });
    this.publish();
  }

  remove(pid: number): void {
    const index = this.entries.findIndex((entry) => entry.pid === pid);
    if (index >= 0) this.entries.splice(index, 1);
    this.publish();
  }

  assertOpen(): void {
    if (this.closed) throw new UserFacingError('Stopped before everything had started.');
  }

  /** Stops everything, and then the watchdog. */
  async close(): Promise<void> {
    this.closed = true;
    await stopInOrder([...this.entries]);
    this.watchdog.kill('SIGKILL');
    fs.rmSync(path.join(this.folder, REGISTRY_FILE), { force: true });
  }

  private publish(): void {
    if (this.closed) return;
    const text = JSON.stringify(this.entries);
    this.watchdog.stdin?.write(`${text}\n`);
    try {
      const file = path.join(this.folder, REGISTRY_FILE);
      fs.writeFileSync(`${file}.new`, text);
      fs.renameSync(`${file}.new`, file);
    } catch (error) {
      // The watchdog has the list too. A full disk is no reason to stop the product.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

/** Stops the processes of a launcher that was killed together with its watchdog. */
export async function stopLeftovers(folder: string): Promise<void> {
  const file = path.join(folder, REGISTRY_FILE);
  // The id of a dead process may have been reused.
  const left = ((readJson(file) ?? []) as RegisteredProcess[]).filter(isAlive);
  for (const { name, pid } of left) printProgress(`stopping a left-over ${name} (process ${pid})`);
  await stopInOrder(left);
  fs.rmSync(file, { force: true });
}

export async function stopInOrder(entries: RegisteredProcess[]): Promise<void> {
  for (const tier of STOP_ORDER) await Promise.all(entries.filter((entry) => entry.tier === tier).map(stop));
}

async function stop(entry: RegisteredProcess): Promise<void> {
  if (isAlive(entry)) signal(entry.pid, entry.stopSignal);
  // A paused process receives the signal only when it continues.
  if (isAlive(entry)) signal(entry.pid, 'SIGCONT');
  if (!(await endsWithin(entry, entry.graceMs)))
    printProgress(`${entry.name} did not stop within ${entry.graceMs / 1000} s: killing it`);
  killGroup(entry.pid);
  await endsWithin(entry, 5_000);
}

/** Also kills what the program started, such as the worker of a benchmark. */
export function killGroup(leader: number): void {
  signal(-leader, 'SIGKILL');
}

async function endsWithin(entry: RegisteredProcess, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isAlive(entry)) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

/** Process ids are reused. Together with its start time, an id names one process. */
export type ProcessIdentity = { pid: number; born: string };

export const identifyProcess = (pid: number): ProcessIdentity => ({ pid, born: startTimeOf(pid) });

export const isAlive = ({ pid, born }: ProcessIdentity): boolean => exists(pid) && startTimeOf(pid) === born;

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startTimeOf(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-p', `${pid}`, '-o', 'lstart='], { encoding: 'utf8' }).stdout ?? '';
  try {
    // The name in parentheses may hold spaces; the start time is the twentieth field behind it.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // A zombie has ended, but its parent has not collected its exit code yet.
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? '' : `${boot}/${fields[19]}`;
  } catch {
    return '';
  }
}

/** Undefined if the file is absent, or was truncated by a crash. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
