import { isIP, type TcpNetConnectOpts } from 'node:net';
import type { AddressGuard } from './address-guard.js';
import { type NameResolver, type ResolveResult, noAddress } from './name-resolver.js';

/** For host names that outsiders chose. */
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
    // The address would reveal names of this network.
    return verdict.allowed ? answer : noAddress('refused_address', `the address was refused: ${verdict.reason}`);
  }
}

/** Node calls no `lookup` for an IP literal. */
function literalAddress(address: string): ResolveResult {
  return { kind: 'addresses', addresses: [address] };
}

type PinnedAddressOptions = Pick<
  TcpNetConnectOpts,
  'host' | 'lookup' | 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'
>;

/** The default of 250 ms is less than a round trip around the world. */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 1_000;

export function pinnedAddressOptions(hostname: string, addresses: readonly string[]): PinnedAddressOptions {
  const [first, second] = addresses;
  if (first !== undefined && second === undefined) return { host: first };
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    host: hostname,
    lookup: (_hostname, _options, callback) => callback(null, answers),
    // With another default of the process, `lookup` would have to return one address.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
  };
}
