import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.js';
import { type NameResolver, type ResolveResult, noAddress } from './name-resolver.js';

/** The addresses of a host that somebody from outside named, all of which may be connected to. */
export class GuardedNames {
  constructor(
    private readonly guard: AddressGuard,
    private readonly names: NameResolver,
  ) {}

  async locate(hostname: string): Promise<ResolveResult> {
    const answer = isIP(hostname) ? literalAddress(hostname) : await this.names.resolve(hostname);
    if (answer.kind === 'failure') return answer;
    if (answer.addresses.length === 0) return noAddress('dns', 'the name has no address');
    const verdict = this.guard.verdictOnAll(answer.addresses);
    // Does not name the address, because outsiders must not learn what names mean inside this network.
    return verdict.allowed ? answer : noAddress('refused_address', `the address was refused: ${verdict.reason}`);
  }
}

/** An IP literal needs no query. Node does not call `lookup` for it, so it must be checked here. */
function literalAddress(address: string): ResolveResult {
  return { kind: 'addresses', addresses: [address] };
}
