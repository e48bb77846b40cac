import { isIP, type TcpNetConnectOpts } from 'node:net';
import type { AddressGuard } from './address-guard.js';
import type { Deadline } from './deadline.js';
import { DialAttempt, type DialResult, type DialSettings } from './dial-attempt.js';
import { failure } from './failure.js';
import type { ResolveResult, NameResolver } from './name-resolver.js';
import type { Target } from './target.js';

type PinnedAddressOptions = Pick<
  TcpNetConnectOpts,
  'host' | 'lookup' | 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'
>;

export interface Dialler {
  /** Opens a connection that is ready for HTTP, or returns why it cannot. Never rejects. */
  dial(target: Target, deadline: Deadline): Promise<DialResult>;
}

/** Connects directly, and only to addresses that it has just resolved and checked. */
export class DirectDialler implements Dialler {
  constructor(
    private readonly guard: AddressGuard,
    private readonly names: NameResolver,
    private readonly settings: DialSettings,
  ) {}

  dial(target: Target, deadline: Deadline): Promise<DialResult> {
    const attempt = new DialAttempt(this.settings, deadline, 'resolving');
    return attempt.run(async () => {
      const located = await this.locate(target.hostname);
      if (located.kind === 'failure') return located;
      return attempt.open(target, { port: target.port, ...pinnedAddressOptions(target.hostname, located.addresses) });
    });
  }

  private async locate(hostname: string): Promise<ResolveResult> {
    const answer = isIP(hostname) ? literalAddress(hostname) : await this.names.resolve(hostname);
    if (answer.kind === 'failure') return answer;
    if (answer.addresses.length === 0) return failure('dns', 'the name has no address');
    const verdict = this.guard.verdictOnAll(answer.addresses);
    // Does not name the address, because outsiders must not learn what names mean inside this network.
    return verdict.allowed ? answer : failure('refused_address', `the address was refused: ${verdict.reason}`);
  }
}

/** An IP literal needs no query. Node does not call `lookup` for it, so it must be checked here. */
function literalAddress(address: string): ResolveResult {
  return { kind: 'addresses', addresses: [address] };
}

/**
 * How long to wait for one address before trying the next. Node's default of 250 ms is less than a round trip around the
 * world, so it would give up a far receiver for an address of the other family that does not work.
 */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 1_000;

/** Gives Node the checked addresses instead of another query. Node tries them in turn, and no others. */
function pinnedAddressOptions(hostname: string, addresses: readonly string[]): PinnedAddressOptions {
  const [first, second] = addresses;
  if (first !== undefined && second === undefined) return { host: first };
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    host: hostname,
    lookup: (_hostname, _options, callback) => callback(null, answers),
    // Set here, because the process may have another default, under which `lookup` returns one address.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
  };
}
