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

/** With METRICS_TOKEN, whoever has it. Without, whoever is in a private network and came without a proxy in between. */
export function metricsAccess(token: string | undefined, { headers, address }: MetricsRequest): MetricsAccess {
  if (token !== undefined) return presents(headers, token) ? 'allowed' : 'unauthorized';
  const throughProxy = FORWARDED.some((name) => headers[name] !== undefined);
  return !throughProxy && isPrivate(address ?? '') ? 'allowed' : 'hidden';
}

/** One of them is set by every proxy that is set up as docs/operations.md says. */
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
