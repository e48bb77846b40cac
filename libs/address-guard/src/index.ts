export { AddressGuard } from './address-guard.js';
export { GuardedNames, type PrivateLog, pinnedAddressOptions } from './name-resolver.js';
export { DnsResolver, type NameResolver, type ResolveResult, parseHosts } from './name-resolver.js';
