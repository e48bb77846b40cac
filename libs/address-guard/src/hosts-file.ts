import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const HOSTS_FILE = process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';

/** The names in this machine's hosts file. None when there is no file. */
export async function readHostsFile(): Promise<ReadonlyMap<string, readonly string[]>> {
  return parseHosts(await readFile(HOSTS_FILE, 'utf8').catch(() => ''));
}

export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  return hosts;
}
