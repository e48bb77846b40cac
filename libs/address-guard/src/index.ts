export { AddressGuard } from './address-guard.js';
export { GuardedNames } from './guarded-names.js';
export { parseHosts } from './hosts-file.js';
export { DnsResolver, type NameResolver, type NoAddress, type ResolveResult } from './name-resolver.js';
export { pinnedAddressOptions } from './pinned-address.js';
