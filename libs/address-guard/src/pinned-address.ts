import { isIP, type TcpNetConnectOpts } from 'node:net';

type PinnedAddressOptions = Pick<
  TcpNetConnectOpts,
  'host' | 'lookup' | 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'
>;

/**
 * How long to wait for one address before trying the next. Node's default of 250 ms is less than a round trip around the
 * world, so it would give up a far receiver for an address of the other family that does not work.
 */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 1_000;

/** Gives Node the checked addresses instead of another query. Node tries them in turn, and no others. */
export function pinnedAddressOptions(hostname: string, addresses: readonly string[]): PinnedAddressOptions {
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
