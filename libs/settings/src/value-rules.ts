import { isIP } from 'node:net';
import { parseUrl } from './parse-url.js';

export function metricsToken(value: string): string {
  if (!/^[\w.~+/=-]{16,200}$/.test(value)) throw new Error('must be 16 to 200 letters, digits or any of -._~+/=');
  return value;
}

export function hostAndPort(part: string): { readonly host: string; readonly port: number } {
  const url = parseUrl(`redis://${part}`);
  if (!url) throw new Error('must be a list such as 10.0.0.1:26379,10.0.0.2:26379');
  const { hostname, port } = url;
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port) || 26_379 };
}

/** As browsers write it: in lower case, and in Punycode. */
export function hostName(part: string): string {
  if (parseUrl(`https://${part}/`)?.hostname !== part) throw new Error('must be a list of host names, without ports');
  return part;
}

export function seconds(part: string): number {
  const value = Number(part);
  if (!(value >= 0 && value <= 30 * 86_400)) throw new Error('must be a list of seconds, each from 0 to 2592000');
  return value;
}

export function network(part: string): string {
  const [address = '', bits] = part.split('/');
  const family = isIP(address);
  const max = family === 4 ? 32 : 128;
  if (family === 0 || bits === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > max)
    throw new Error('must be a list of networks such as 10.0.0.0/8 or fd00::/8');
  return part;
}

/** Headers of HTTP or of a delivery. Another header with such a name would break the delivery. */
const TAKEN_HEADERS =
  /^(host|connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding|content-.*|user-agent|webhook-.*|proxy-.*|traceparent|tracestate)$/;

export function headerName(part: string): string {
  const name = part.toLowerCase();
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) throw new Error('must have names of up to 64 letters, digits and hyphens');
  if (TAKEN_HEADERS.test(name)) throw new Error('must not contain a header that deliveries or HTTP itself already use');
  return name;
}

/** `scheme://user:password@`, the hosts with their ports, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^]*)$/;

/** Returns an address for each host of an address with several, such as `postgres://u:p@one:5432,two:5432/desk`. */
export function singleHostUrls(address: string): string[] {
  const [, before = '', hosts = '', after = ''] = PARTS.exec(address) ?? [];
  return before === '' ? [address] : hosts.split(',').map((host) => `${before}${host}${after}`);
}
