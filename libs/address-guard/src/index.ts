export { AddressGuard } from './address-guard.js';
export { CERTIFICATE_ERROR, printable } from './foreign-text.js';
export { MAX_URL_LENGTH, checkOutgoingUrl, hostOfUrl, requestTarget } from './outgoing-url.js';
export { GuardedNames, type PrivateLog, pinnedAddressOptions } from './name-resolver.js';
export { DnsResolver, type NameResolver, type ResolveResult, parseHosts } from './name-resolver.js';
