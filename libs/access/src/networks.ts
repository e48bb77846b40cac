import ipaddr from 'ipaddr.js';

const IPV6_BITS = [64, 48] as const;

/** A /48 may have this many times the limit of a /64. */
export const LARGER_NETWORK_FACTOR = 10;

/** Some proxies add the port. A client has thousands. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/** Smallest network first. A client has a whole /64 of IPv6. */
export function networksOf(reported: string): readonly [string, ...string[]] {
  const address = reported.replace(WITH_PORT, '$1$2');
  if (!ipaddr.isValid(address)) return [address.slice(0, 64)];
  // `process` unwraps `::ffff:192.0.2.1`.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  const [one, ...others] = IPV6_BITS.map((bits) => networkOf(parsed as ipaddr.IPv6, bits));
  return [one!, ...others];
}

function networkOf(address: ipaddr.IPv6, bits: number): string {
  const parts = address.parts.map((part, index) => (index < bits / 16 ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/${bits}`;
}
