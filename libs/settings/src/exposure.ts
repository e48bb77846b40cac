import { BlockList, isIP } from 'node:net';
import { parseUrl } from './parse-url.js';
import type { Environment } from './setting.js';

/** Production is the default, so that weaker rules must be chosen. */
export const inProduction = (environment: Environment): boolean =>
  (environment['NODE_ENV'] || 'production') === 'production';

/** Returns whether other machines can reach the installation. Behind a proxy, HOST is a loopback address but PUBLIC_URL is not. */
export const isExposed = ({ HOST = '', PUBLIC_URL = '' }: Partial<Record<'HOST' | 'PUBLIC_URL', string | undefined>>) =>
  (HOST !== '' && !isLoopback(HOST)) || (PUBLIC_URL !== '' && isPublic(PUBLIC_URL));

function isPublic(address: string): boolean {
  // An invalid URL is reported by its own setting.
  const url = parseUrl(address);
  return url !== undefined && (url.protocol === 'https:' || !isLoopback(url.hostname));
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Accepts an IPv6 address in brackets too. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Returns whether a reverse proxy is in front of the API, which itself does not accept https. */
export const isBehindProxy = ({
  TRUSTED_PROXIES,
  PUBLIC_URL,
}: {
  TRUSTED_PROXIES: readonly string[];
  PUBLIC_URL: string;
}) => TRUSTED_PROXIES.length > 0 || new URL(PUBLIC_URL).protocol === 'https:';
