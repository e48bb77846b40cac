import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

interface MetricsRequest {
  readonly headers: IncomingHttpHeaders;
  /** Who holds the other end of the connection. */
  readonly address: string | undefined;
}

/** `hidden`: there is no way in from there. `unauthorized`: with the token there is. */
export type MetricsAccess = 'allowed' | 'unauthorized' | 'hidden';

interface MetricsRule {
  readonly token: string | undefined;
  /** Whether requests to this port may come through a proxy, which need not say so in a header. */
  readonly behindProxy: boolean;
}

/** With METRICS_TOKEN, callers need the token. Without it, callers in a private network have access, unless a proxy is in between. */
export function metricsAccess(
  { token, behindProxy }: MetricsRule,
  { headers, address }: MetricsRequest,
): MetricsAccess {
  if (token !== undefined) return presents(headers, token) ? 'allowed' : 'unauthorized';
  if (behindProxy) return 'hidden';
  const throughProxy = FORWARDED.some((name) => headers[name] !== undefined);
  return !throughProxy && isPrivate(address ?? '') ? 'allowed' : 'hidden';
}

/** Headers of a proxy that no setting names. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'];

/** Digests are of one length, whatever is presented. */
function presents({ authorization = '' }: IncomingHttpHeaders, token: string): boolean {
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
