import { LARGER_NETWORK_FACTOR, networksOf } from '#libs/access';

/**
 * Bounds what the clients of one network have open at once: one address of IPv4; a /64 of IPv6, and the /48 around it, which
 * may have more.
 */
export class OpenCounts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Returns a function that frees the place, or undefined if there is none. */
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
