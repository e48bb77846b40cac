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
  /** A connection that is ready for HTTP, or why there is none. Never rejects. */
  dial(target: Target, deadline: Deadline): Promise<DialResult>;
}

/** Connects by itself, and only ever to addresses that it has just resolved and checked. */
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
    // The address itself stays unsaid: what names mean inside this network must not be readable from outside.
    return verdict.allowed ? answer : failure('refused_address', `the address was refused: ${verdict.reason}`);
  }
}

/** An IP literal is its own answer. Node asks no `lookup` about it, so nothing later would check it. */
function literalAddress(address: string): ResolveResult {
  return { kind: 'addresses', addresses: [address] };
}

/**
 * How long one of several addresses may take before the next is tried. Node's own 250 ms is less than the way around
 * the world and back: a far receiver would be given up for an address of the other family that leads nowhere.
 */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 1_000;

/** Hands out the checked addresses instead of asking again; Node tries them in turn, of both families, and no others. */
function pinnedAddressOptions(hostname: string, addresses: readonly string[]): PinnedAddressOptions {
  const [first, second] = addresses;
  if (first !== undefined && second === undefined) return { host: first };
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    host: hostname,
    lookup: (_hostname, _options, callback) => callback(null, answers),
    // Said here, because the process may have been started with another default, under which `lookup` means one answer.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
  };
}
