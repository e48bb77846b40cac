import { createSecureContext } from 'node:tls';
import { AddressGuard, DnsResolver, GuardedNames, type PrivateLog } from '#libs/address-guard';
import type { Settings } from '#libs/settings';
import { type Dialler, DirectDialler, ProxyDialler } from './diallers.js';

export const CONNECT_TIMEOUT_MS = 5_000;

export function newDialler(settings: Settings, logger?: PrivateLog): Dialler {
  const guard = new AddressGuard(settings.WEBHOOK_ALLOWED_NETWORKS);
  const privateLog = settings.NODE_ENV === 'production' ? logger : undefined;
  const dialling = { connectTimeoutMs: CONNECT_TIMEOUT_MS, secureContext: createSecureContext(), privateLog };
  return settings.WEBHOOK_PROXY_URL
    ? new ProxyDialler(new URL(settings.WEBHOOK_PROXY_URL), guard, dialling)
    : new DirectDialler(new GuardedNames(guard, new DnsResolver(), privateLog), dialling);
}
