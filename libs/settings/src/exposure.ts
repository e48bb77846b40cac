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
