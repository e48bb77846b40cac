import { BlockList, isIP } from 'node:net';
import { LARGER_NETWORK_FACTOR, networksOf } from '#libs/access';
import { LRUCache } from 'lru-cache';

/** An IPv6 address counts for its /64 and for the /48 around it, which may have more. */
export class OpenCounts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Returns a function that frees the place, or undefined if none is left. */
  enter(address: string): (() => void) | undefined {
    const networks = networksOf(address);
    if (networks.some((network, size) => this.isFull(network, size))) return undefined;
    for (const network of networks) this.counts.set(network, this.countOf(network) + 1);
    let entered = true;
    return () => {
      if (entered) for (const network of networks) this.leave(network);
      entered = false;
    };
  }

  private isFull(network: string, size: number): boolean {
    return this.countOf(network) >= this.max * LARGER_NETWORK_FACTOR ** size;
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
  private readonly known = new LRUCache<string, boolean>({ max: 10_000 });

  constructor(trustedProxies: readonly string[]) {
    for (const network of [...LOOPBACK, ...trustedProxies]) {
      const [address = '', bits] = network.split('/');
      this.networks.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  has(address: string): boolean {
    const known = this.known.get(address);
    if (known !== undefined) return known;
    const found = this.isListed(address);
    this.known.set(address, found);
    return found;
  }

  private isListed(address: string): boolean {
    const plain = withoutMapping(address);
    return isIP(plain) > 0 && this.networks.check(plain, familyOf(plain));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
