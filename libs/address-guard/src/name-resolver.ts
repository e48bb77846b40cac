import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { AddressGuard } from './address-guard.js';

export type ResolveResult =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  | { readonly kind: 'failure'; readonly error: 'dns' | 'refused_address'; readonly detail: string };

const noAddress = (error: 'dns' | 'refused_address', detail: string) => ({ kind: 'failure', error, detail }) as const;

export interface NameResolver {
  /** Never rejects. */
  resolve(hostname: string): Promise<ResolveResult>;
}

const DNS_CACHE_MS = 5_000;
const MAX_CACHED_NAMES = 5_000;

/** The resolver of the system blocks a thread while a name server is slow. Search domains could reach into this network. */
export class DnsResolver implements NameResolver {
  private readonly resolver = new dns.Resolver({ timeout: 1_500, tries: 2 });
  private readonly answers = new LRUCache<string, Promise<ResolveResult>>({
    max: MAX_CACHED_NAMES,
    ttl: DNS_CACHE_MS,
    memoMethod: (name) => this.lookUp(name),
  });

  constructor(servers?: readonly string[]) {
    if (servers) this.resolver.setServers(servers);
  }

  resolve(hostname: string): Promise<ResolveResult> {
    return this.answers.memo(hostname.toLowerCase().replace(/\.$/, ''));
  }

  private async lookUp(name: string): Promise<ResolveResult> {
    if (name === 'localhost' || name.endsWith('.localhost')) return resolvedTo(['127.0.0.1', '::1']);
    const local = parseHosts(await readFile(HOSTS_FILE, 'utf8').catch(() => '')).get(name);
    if (local) return resolvedTo(local);
    const [v4, v6] = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return resolvedTo(addresses);
    const { code = '' } = (v4.status === 'rejected' ? v4.reason : { code: 'ENODATA' }) as NodeJS.ErrnoException;
    return noAddress('dns', DNS_ERRORS[code] ?? 'the name could not be resolved');
  }
}

const resolvedTo = (addresses: readonly string[]): ResolveResult => ({ kind: 'addresses', addresses });

const DNS_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  ENODATA: 'the name has no address',
  ETIMEOUT: 'the name servers did not answer',
  ECONNREFUSED: 'the name servers did not answer',
  ESERVFAIL: 'the name servers failed',
  EREFUSED: 'the name servers refused to answer',
  EBADNAME: 'the name is not a valid one',
};

const HOSTS_FILE = process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts';

export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  return hosts;
}

/** For the operator of a production system, whose network must not be explored through error messages. */
export interface PrivateLog {
  info(facts: object, message: string): void;
}

/** A name in the hosts file is found sooner than name servers report an unknown one. */
const MIN_REFUSAL_MS = 250;

/** For host names that outsiders chose. With a private log, they get one error for internal and for unknown names. */
export class GuardedNames {
  constructor(
    private readonly guard: AddressGuard,
    private readonly names: NameResolver,
    private readonly privateLog?: PrivateLog | undefined,
  ) {}

  async locate(hostname: string): Promise<ResolveResult> {
    if (isIP(hostname)) return this.judge([hostname]);
    const startedAt = performance.now();
    const answer = await this.names.resolve(hostname);
    const located = answer.kind === 'failure' ? answer : this.judge(answer.addresses);
    if (located.kind === 'addresses' || !this.privateLog) return located;
    this.privateLog.info({ host: hostname, reason: located.detail }, 'no connection to a name');
    await setTimeout(Math.max(0, startedAt + MIN_REFUSAL_MS - performance.now()));
    return noAddress('dns', 'the name could not be resolved to a public address');
  }

  private judge(addresses: readonly string[]): ResolveResult {
    if (addresses.length === 0) return noAddress('dns', 'the name has no address');
    const verdict = this.guard.verdictOnAll(addresses);
    if (verdict.allowed) return resolvedTo(addresses);
    return noAddress('refused_address', `the address was refused: ${verdict.reason}`);
  }
}

/** The default of 250 ms is less than a round trip around the world. */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 1_000;

export function pinnedAddressOptions(hostname: string, addresses: readonly string[]): Omit<TcpNetConnectOpts, 'port'> {
  const [first, second] = addresses;
  if (first !== undefined && second === undefined) return { host: first };
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    host: hostname,
    lookup: (_hostname, _options, callback) => callback(null, answers),
    // With another default of the process, `lookup` would have to return one address.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
  };
}
