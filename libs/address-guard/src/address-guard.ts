import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * IANA's special-purpose registries for IPv4 and IPv6, and cloud services at addresses that look public. The first match
 * gives the reason, so narrow ranges come first.
 */
const REFUSED_RANGES: readonly (readonly [cidr: string, name: string])[] = [
  ['169.254.169.254/32', 'cloud metadata'],
  ['169.254.170.2/32', 'cloud metadata'],
  ['100.100.100.200/32', 'cloud metadata'],
  ['168.63.129.16/32', 'cloud metadata'],
  ['192.0.0.192/32', 'cloud metadata'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'reserved'],
  ['192.52.193.0/24', 'reserved'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'reserved'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],

  ['fd00:ec2::254/128', 'cloud metadata'],
  ['fd20:ce::254/128', 'cloud metadata'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['::/96', 'IPv4-compatible'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['100::/64', 'discard-only'],
  ['2001::/32', 'Teredo'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:db8::/32', 'documentation'],
  ['2001::/23', 'reserved'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'reserved'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
];

/** The only IPv6 range of the public internet. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

type AddressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

const ALLOWED: AddressVerdict = { allowed: true };
const refusedRanges = REFUSED_RANGES.map(([cidr, name]) => ({ range: ipaddr.parseCIDR(cidr), name }));

/** Interfaces change while a process runs. Reading them takes about 0.1 ms. */
const INTERFACES_CACHE_MS = 1_000;

export class AddressGuard {
  private readonly allowedNetworks: readonly Range[];
  private own = { addresses: new Set<string | undefined>(), readAt: Number.NEGATIVE_INFINITY };

  constructor(
    allowedNetworks: readonly string[],
    private readonly interfaces: typeof networkInterfaces = networkInterfaces,
  ) {
    this.allowedNetworks = allowedNetworks.map(networkRange);
  }

  verdict(text: string): AddressVerdict {
    const address = canonicalAddress(text);
    if (address === null) return refused('it is no plain IP address');
    if (this.allowedNetworks.some((network) => isWithin(address, network))) return ALLOWED;
    const match = refusedRanges.find(({ range }) => isWithin(address, range));
    if (match) return refused(`it is ${withArticle(match.name)} address`);
    if (isIsatap(address)) return refused('it is an ISATAP address');
    if (this.isOwn(address)) return refused('it is an address of this machine');
    const isPublic = address.kind() === 'ipv4' || isWithin(address, PUBLIC_IPV6);
    return isPublic ? ALLOWED : refused('it is a reserved address');
  }

  /** At a public address of its own, a worker reaches services that a firewall closes to others. */
  private isOwn(address: Address): boolean {
    const now = performance.now();
    if (now - this.own.readAt > INTERFACES_CACHE_MS)
      this.own = { addresses: new Set(addressesOf(this.interfaces)), readAt: now };
    return this.own.addresses.has(address.toString());
  }

  /** A name with public and private addresses is an attack. */
  verdictOnAll(addresses: readonly string[]): AddressVerdict {
    return addresses.map((address) => this.verdict(address)).find((verdict) => !verdict.allowed) ?? ALLOWED;
  }
}

function addressesOf(interfaces: typeof networkInterfaces): (string | undefined)[] {
  try {
    const found = Object.values(interfaces()).flatMap((one) => one ?? []);
    return found.map(({ address }) => canonicalAddress(address)?.toString());
  } catch {
    // A sandbox without netlink forbids it.
    return [];
  }
}

/** Null for `0x7f.1`, zone ids and the like. */
function canonicalAddress(text: string): Address | null {
  const family = text.includes('%') ? 0 : isIP(text);
  if (family === 0) return null;
  // ipaddr.js would read `::1.2.3.4` as IPv4-mapped.
  return ipaddr.parse(family === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

function networkRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Allowing 127.0.0.0/8 does not allow IPv4-mapped addresses. */
const isWithin = (address: Address, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** The last 32 bits are an IPv4 address to tunnel to. */
const isIsatap = (address: Address): boolean =>
  'parts' in address && ((address.parts[4] ?? 0) | 0x200) === 0x200 && address.parts[5] === 0x5efe;

const withArticle = (name: string): string => (/^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`);

const refused = (reason: string): AddressVerdict => ({ allowed: false, reason });
