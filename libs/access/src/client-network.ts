import ipaddr from 'ipaddr.js';

/** What one person is given of IPv6, and what one line or one rented server is given. */
const IPV6_BITS = [64, 48] as const;

/** Limits of the larger network of an IPv6 address are so many times those of the smaller one. */
export const LARGER_NETWORK_FACTOR = 10;

/**
 * The networks that an address counts for, the smallest first. Whoever has one address of IPv6 has a whole /64, so a
 * limit for each address would limit nobody.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  // A proxy that is trusted can still name something that is no address.
  if (!ipaddr.isValid(address)) return [address.slice(0, 64)];
  // A socket for both protocols shows an IPv4 address as `::ffff:192.0.2.1`.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  const [one, ...others] = IPV6_BITS.map((bits) => networkOf(parsed as ipaddr.IPv6, bits));
  return [one!, ...others];
}

function networkOf(address: ipaddr.IPv6, bits: number): string {
  const parts = address.parts.map((part, index) => (index < bits / 16 ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/${bits}`;
}
