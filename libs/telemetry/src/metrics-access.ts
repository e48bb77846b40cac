import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

interface MetricsRequest {
  readonly headers: IncomingHttpHeaders;
  /** The peer of the connection. */
  readonly address: string | undefined;
}

/** `hidden` is answered with 404, `unauthorized` with 401. */
export type MetricsAccess = 'allowed' | 'unauthorized' | 'hidden';

interface MetricsRule {
  readonly token: string | undefined;
  /** Requests may come through a proxy, which may not add a header. */
  readonly behindProxy: boolean;
}

/** With METRICS_TOKEN, callers need the token. Without it, callers in a private network have access, unless a proxy is in between. */
export function metricsAccess(
  { token, behindProxy }: MetricsRule,
  { headers, address }: MetricsRequest,
): MetricsAccess {
  if (token !== undefined) return hasToken(headers, token) ? 'allowed' : 'unauthorized';
  if (behindProxy) return 'hidden';
  const throughProxy = FORWARDED.some((name) => headers[name] !== undefined);
  return !throughProxy && isPrivate(address ?? '') ? 'allowed' : 'hidden';
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
