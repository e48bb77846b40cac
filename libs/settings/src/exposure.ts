import { BlockList, isIP } from 'node:net';
import type { Environment } from './setting.js';

/** Production is the default: what is weaker must be asked for. */
export const inProduction = (environment: Environment): boolean =>
  (environment['NODE_ENV'] || 'production') === 'production';

interface Reach {
  readonly HOST?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
}

/** Whether anybody but this machine can reach the installation. Behind a proxy, HOST alone does not say so. */
export const isExposed = ({ HOST, PUBLIC_URL }: Reach): boolean =>
  (HOST ? !isLoopback(HOST) : false) || (PUBLIC_URL ? isPublic(PUBLIC_URL) : false);

function isPublic(address: string): boolean {
  // What is no URL is a fault of its own.
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || !isLoopback(hostname.replaceAll(/^\[|\]$/g, ''));
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

interface Front {
  readonly TRUSTED_PROXIES: readonly string[];
  readonly PUBLIC_URL: string;
}

/** Whether a reverse proxy is in front of the API: its network is named, or PUBLIC_URL is https, which the API does not speak. */
export const isBehindProxy = ({ TRUSTED_PROXIES, PUBLIC_URL }: Front): boolean =>
  TRUSTED_PROXIES.length > 0 || new URL(PUBLIC_URL).protocol === 'https:';
