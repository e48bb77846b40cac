import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { PUBLIC_IPV6, REFUSED_RANGES } from './address-ranges.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

type AddressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

const ALLOWED: AddressVerdict = { allowed: true };
const publicIpv6 = ipaddr.parseCIDR(PUBLIC_IPV6);
const refusedRanges = REFUSED_RANGES.map(([cidr, name]) => ({ range: ipaddr.parseCIDR(cidr), name }));

export class AddressGuard {
  private readonly allowedNetworks: readonly Range[];

  constructor(allowedNetworks: readonly string[]) {
    this.allowedNetworks = allowedNetworks.map(networkRange);
  }

  verdict(text: string): AddressVerdict {
    const address = canonicalAddress(text);
    if (address === null) return refused('it is no plain IP address');
    if (this.allowedNetworks.some((network) => isWithin(address, network))) return ALLOWED;
    const match = refusedRanges.find(({ range }) => isWithin(address, range));
    if (match) return refused(`it is ${withArticle(match.name)} address`);
    if (isIsatap(address)) return refused('it is an ISATAP address');
    const isPublic = address.kind() === 'ipv4' || isWithin(address, publicIpv6);
    return isPublic ? ALLOWED : refused('it is a reserved address');
  }

  /** A name with public and private addresses is an attack. */
  verdictOnAll(addresses: readonly string[]): AddressVerdict {
    return addresses.map((address) => this.verdict(address)).find((verdict) => !verdict.allowed) ?? ALLOWED;
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
function isWithin(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The last 32 bits are an IPv4 address to tunnel to. */
function isIsatap(address: Address): boolean {
  return 'parts' in address && ((address.parts[4] ?? 0) | 0x200) === 0x200 && address.parts[5] === 0x5efe;
}

const withArticle = (name: string): string => (/^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`);

function refused(reason: string): AddressVerdict {
  return { allowed: false, reason };
}
