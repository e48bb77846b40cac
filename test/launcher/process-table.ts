import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { identifyProcess, type ProcessIdentity } from '../../apps/launcher/src/process-registry.js';

interface TableRow {
  readonly pid: number;
  readonly parent: number;
  readonly commandLine: string;
}

export interface Descendant extends ProcessIdentity {
  readonly commandLine: string;
}

/** The direct and indirect children of a process. */
export function descendantsOf(pid: number): Descendant[] {
  const table = process.platform === 'linux' ? readProc() : readPs();
  const below = (parent: number): TableRow[] =>
    table.flatMap((row) => (row.parent === parent ? [row, ...below(row.pid)] : []));
  return below(pid).map((row) => ({ ...identifyProcess(row.pid), commandLine: row.commandLine }));
}

/** The process id of the launcher’s watchdog. */
export function watchdogOf(launcher: number): number {
  const found = descendantsOf(launcher).find(({ commandLine }) => commandLine.includes('watchdog'));
  if (!found) throw new Error(`process ${launcher} has no watchdog`);
  return found.pid;
}

function readProc(): TableRow[] {
  return fs.readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const commandLine = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      // The name in parentheses can contain spaces.
      const [, parent] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return [{ pid: Number(pid), parent: Number(parent), commandLine }];
    } catch {
      return [];
    }
  });
}

function readPs(): TableRow[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, commandLine = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line) ?? [];
    return pid ? [{ pid: Number(pid), parent: Number(parent), commandLine }] : [];
  });
}
