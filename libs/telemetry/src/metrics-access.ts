import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * With METRICS_TOKEN, callers need the token. Otherwise, callers in a private network have access, unless a proxy is in
 * between, which may not add a header. `address` is the peer; `hidden` returns 404, `unauthorized` 401.
 */
export function metricsAccess(
  { token, behindProxy }: { readonly token: string | undefined; readonly behindProxy: boolean },
  { headers, address = '' }: { readonly headers: IncomingHttpHeaders; readonly address: string | undefined },
): 'allowed' | 'unauthorized' | 'hidden' {
  if (token !== undefined) return hasToken(headers, token) ? 'allowed' : 'unauthorized';
  if (behindProxy) return 'hidden';
  const throughProxy = FORWARDED.some((name) => headers[name] !== undefined);
  return !throughProxy && isPrivate(address) ? 'allowed' : 'hidden';
}

/** Headers of proxies that TRUSTED_PROXIES does not name. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'];

/** `timingSafeEqual` needs values of one length. */
function hasToken({ authorization = '' }: IncomingHttpHeaders, token: string): boolean {
  const presented = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  return timingSafeEqual(digest(presented), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isPrivate(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(
    ipaddr.process(address).range(),
  );
}
