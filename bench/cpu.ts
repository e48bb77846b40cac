import { readFileSync, readdirSync } from 'node:fs';

/** Clock ticks per second, fixed on Linux for programs outside the kernel. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of a process and of its reaped children. */
function ownSeconds(pid: number): number {
  const fields = statOf(pid);
  return fields ? (fields[11]! + fields[12]! + fields[13]! + fields[14]!) / TICKS_PER_SECOND : 0;
}

/** Optionally includes living children, because PostgreSQL has a process for each connection. */
export function cpuSeconds(pids: readonly number[], { withChildren = false } = {}): number {
  const all = withChildren ? [...pids, ...pids.flatMap((pid) => childrenOf(pid))] : pids;
  return all.reduce((sum, pid) => sum + ownSeconds(pid), 0);
}

/** CPU milliseconds of these processes and of their living children, exact enough for a single request. */
export function cpuMs(pids: readonly number[]): number {
  const all = pids.flatMap((pid) => [pid, ...childrenByThread(pid)]);
  return all.reduce((sum, pid) => sum + nanosecondsOf(pid), 0) / 1e6;
}

/** Much faster than searching all processes. */
function childrenByThread(pid: number): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
}

/** Sums all threads. A thread may end while it is read. */
function nanosecondsOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const spent = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]));
    return spent.reduce((sum, ns) => sum + ns, 0);
  } catch {
    return 0;
  }
}

/** CPU seconds of the whole machine: one per core and second. */
export function machineBusySeconds(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
}

export function residentMb(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib ?? 0) / 1024);
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && statOf(pid)?.[1] === parent);
}

export function parentOf(pid: number): number {
  return statOf(pid)?.[1] ?? 0;
}

/** The fields of /proc/<pid>/stat after the name, which may contain spaces: [state, parent, …]. */
function statOf(pid: number): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}
