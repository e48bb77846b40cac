import { BlockList, isIP } from 'node:net';
import { LARGER_NETWORK_FACTOR, networksOf } from '#libs/access';

/** An IPv6 address counts for its /64 and for the /48 around it, which may have more. */
export class OpenCounts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Returns a function that frees the place, or undefined if none is left. */
  enter(address: string): (() => void) | undefined {
    const networks = networksOf(address);
    if (networks.some((network, size) => this.countOf(network) >= this.max * LARGER_NETWORK_FACTOR ** size))
      return undefined;
    for (const network of networks) this.counts.set(network, this.countOf(network) + 1);
    let entered = true;
    return () => {
      if (entered) for (const network of networks) this.leave(network);
      entered = false;
    };
  }

  private countOf(network: string): number {
    return this.counts.get(network) ?? 0;
  }

  private leave(network: string): void {
    const left = this.countOf(network) - 1;
    if (left > 0) this.counts.set(network, left);
    else this.counts.delete(network);
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Addresses that many clients may share: this machine and the trusted proxies. */
export class UncountedAddresses {
  private readonly networks = new BlockList();

  constructor(trustedProxies: readonly string[]) {
    for (const network of [...LOOPBACK, ...trustedProxies]) {
      const [address = '', bits] = network.split('/');
      this.networks.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** Also finds an IPv4 address that is mapped to IPv6. */
  has(address: string): boolean {
    return isIP(address) > 0 && this.networks.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
