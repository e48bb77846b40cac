import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const PREFIX = 'dwm-';
const ROUTER = `${PREFIX}router`;
/** The address of this process, for receivers and callers of the API. */
const OUTSIDE_LINK = `${PREFIX}outside`;
const NETWORK = '10.77';
export const OUTSIDE = `${NETWORK}.0.2`;
export const WHOLE_NETWORK = `${NETWORK}.0.0/16`;

const ip = (...words: string[]): string => execFileSync('ip', words, { encoding: 'utf8', stdio: 'pipe' });
const onRouter = (...words: string[]): string => ip('netns', 'exec', ROUTER, 'ip', ...words);

export interface Place {
  readonly namespace: string;
  readonly address: string;
}

/**
 * Hosts as network namespaces, each with its own network behind one router. The router drops packets silently: all of
 * them as if a host had vanished, or those in one direction only.
 */
export class Network {
  private count = 0;
  private readonly namespaces: string[] = [ROUTER];

  /** Removes leftovers of a killed run first. */
  static open(): Network {
    removeLeftovers();
    ip('netns', 'add', ROUTER);
    const network = new Network();
    execFileSync('ip', ['netns', 'exec', ROUTER, 'sysctl', '-qw', 'net.ipv4.ip_forward=1']);
    ip('link', 'add', OUTSIDE_LINK, 'type', 'veth', 'peer', 'name', 'outside', 'netns', ROUTER);
    ip('addr', 'add', `${OUTSIDE}/24`, 'dev', OUTSIDE_LINK);
    ip('link', 'set', OUTSIDE_LINK, 'up');
    onRouter('addr', 'add', `${NETWORK}.0.1/24`, 'dev', 'outside');
    onRouter('link', 'set', 'outside', 'up');
    ip('route', 'add', WHOLE_NETWORK, 'via', `${NETWORK}.0.1`);
    return network;
  }

  add(name: string): Place {
    const namespace = PREFIX + name;
    const subnet = `${NETWORK}.${++this.count}`;
    const inside = (...words: string[]): string => ip('netns', 'exec', namespace, 'ip', ...words);
    ip('netns', 'add', namespace);
    this.namespaces.push(namespace);
    ip('link', 'add', name, 'netns', ROUTER, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    onRouter('addr', 'add', `${subnet}.1/24`, 'dev', name);
    onRouter('link', 'set', name, 'up');
    inside('addr', 'add', `${subnet}.2/24`, 'dev', 'eth0');
    inside('link', 'set', 'lo', 'up');
    inside('link', 'set', 'eth0', 'up');
    inside('route', 'add', 'default', 'via', `${subnet}.1`);
    return { namespace, address: `${subnet}.2` };
  }

  vanish({ address }: Place): () => void {
    return applied(['from', address, 'blackhole'], ['to', address, 'blackhole']);
  }

  cut(from: Place, to: Place): () => void {
    return applied(['from', from.address, 'to', to.address, 'blackhole']);
  }

  /** Ends all programs on the hosts. */
  async close(): Promise<void> {
    for (const namespace of this.namespaces) killAllIn(namespace);
    await delay(100);
    removeLeftovers();
  }
}

/** Returns the function that reverts the rules. */
function applied(...rules: readonly string[][]): () => void {
  for (const rule of rules) onRouter('rule', 'add', ...rule);
  return () => {
    for (const rule of rules) onRouter('rule', 'del', ...rule);
  };
}

/** Includes those of a process that ended without closing. */
export function removeLeftovers(): void {
  const names = ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0]!);
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    killAllIn(name);
    ip('netns', 'del', name);
  }
}

/** Kills the programs in the namespace, of this run or an earlier one. */
function killAllIn(namespace: string): void {
  for (const pid of ip('netns', 'pids', namespace).split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
