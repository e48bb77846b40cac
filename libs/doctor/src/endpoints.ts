import ipaddr from 'ipaddr.js';

/** This machine, or one beside it: what is sent there crosses no network that others share. */
export function isNeighbour(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  if (!ipaddr.isValid(host)) return !host.includes('.');
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(host).range());
}

export function isLoopback(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

/** Whether a network contains an address of the other, or the other way round. */
export function overlaps(one: string, other: string): boolean {
  const [a, aBits] = ipaddr.parseCIDR(one);
  const [b, bBits] = ipaddr.parseCIDR(other);
  if (a.kind() !== b.kind()) return false;
  const bits = Math.min(aBits, bBits);
  return (a as ipaddr.IPv4).match(b, bits);
}
