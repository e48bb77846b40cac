import { promises as dns } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { readHostsFile } from './hosts-file.js';

/** Why a name leads nowhere: a code for programs and a sentence for people. */
export interface NoAddress {
  readonly kind: 'failure';
  readonly error: 'dns' | 'refused_address';
  readonly detail: string;
}

export type ResolveResult = { readonly kind: 'addresses'; readonly addresses: readonly string[] } | NoAddress;

export const noAddress = (error: NoAddress['error'], detail: string): NoAddress => ({ kind: 'failure', error, detail });

export interface NameResolver {
  /** Every address of the name, or why it has none. Never rejects. */
  resolve(hostname: string): Promise<ResolveResult>;
}

const DNS_CACHE_MS = 5_000;
const MAX_CACHED_NAMES = 5_000;

/**
 * Queries the name servers directly. The system's resolver would block one of four threads while a receiver's name server
 * keeps it waiting, so four such receivers could stop all deliveries. In return this class reads the hosts file and
 * resolves `localhost` as RFC 6761 says. It applies no search domains, because a receiver's name must not mean something
 * inside this network.
 */
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

  /** Caches answers for a moment, so that a burst to one receiver needs one query. They are checked at every use. */
  resolve(hostname: string): Promise<ResolveResult> {
    return this.answers.memo(hostname.toLowerCase().replace(/\.$/, ''));
  }

  private async lookUp(name: string): Promise<ResolveResult> {
    if (name === 'localhost' || name.endsWith('.localhost')) return resolvedTo(['127.0.0.1', '::1']);
    const local = (await readHostsFile()).get(name);
    if (local) return resolvedTo(local);
    const [v4, v6] = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return resolvedTo(addresses);
    return v4.status === 'rejected'
      ? noAddress('dns', dnsErrorDetail(v4.reason))
      : noAddress('dns', 'the name has no address');
  }
}

function resolvedTo(addresses: readonly string[]): ResolveResult {
  return { kind: 'addresses', addresses };
}

const DNS_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  ENODATA: 'the name has no address',
  ETIMEOUT: 'the name servers did not answer',
  ECONNREFUSED: 'the name servers did not answer',
  ESERVFAIL: 'the name servers failed',
  EREFUSED: 'the name servers refused to answer',
  EBADNAME: 'the name is not a valid one',
};

function dnsErrorDetail(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return DNS_ERRORS[code] ?? 'the name could not be resolved';
}
