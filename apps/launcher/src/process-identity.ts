import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

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
