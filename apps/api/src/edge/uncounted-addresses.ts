import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Addresses behind which many clients may stand: this machine, and the proxies of the installation. */
export class UncountedAddresses {
  private readonly networks = new BlockList();
  /** Every request asks, and looking through the networks takes microseconds. */
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
