import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** The process number of the watchdog that a launcher has started. */
export function watchdogOf(launcher: number): number {
  const found = (process.platform === 'linux' ? fromProc(launcher) : fromPs(launcher)).find(({ line }) =>
    line.includes('watchdog'),
  );
  if (!found) throw new Error(`process ${launcher} has no watchdog`);
  return found.pid;
}

interface Child {
  pid: number;
  line: string;
}

function fromProc(parent: number): Child[] {
  const children = fs.readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
  return children.map((pid) => ({ pid: Number(pid), line: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') }));
}

function fromPs(parent: number): Child[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => ({ line, numbers: line.trim().split(/\s+/).map(Number) }));
  return rows
    .filter(({ numbers }) => numbers[1] === parent)
    .map(({ line, numbers }) => ({ pid: numbers[0] ?? 0, line }));
}
