/** `scheme://user:password@`, the hosts with their ports, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^]*)$/;

/**
 * An address may name several hosts, as in libpq: `postgres://u:p@one:5432,two:5432/desk?target_session_attrs=read-write`.
 * Gives an address for each.
 */
export function singleHostUrls(address: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(address) ?? [];
  return before === '' ? [address] : hosts.split(',').map((host) => `${before}${host}${after}`);
}
