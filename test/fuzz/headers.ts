import type { Body } from './bodies.js';
import type { Header } from './draft.js';
import type { RequestPlan } from './request-plan.js';

const ETAGS = ['*', '"x"', 'W/"x"', ',,,', '"'.repeat(300), ''];

/** Headers that the product reads, with unexpected values. All of them are valid HTTP. */
const UNUSUAL: readonly Header[] = [
  ...ETAGS.map((value) => ['if-match', value] as const),
  ...ETAGS.map((value) => ['if-none-match', value] as const),
  ['idempotency-key', ''],
  ['idempotency-key', 'same'],
  ['idempotency-key', 'x'.repeat(4000)],
  ['x-request-id', 'a b'],
  ['x-request-id', 'x'.repeat(1000)],
  ['accept', 'nonsense'],
  ['accept', 'text/html;q=2,*/*;q=x'],
  ['accept-encoding', 'gzip;q=0, br, *'],
  ['accept-language', 'x'.repeat(500)],
  ['prefer', 'handling=strict'],
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['origin', 'http://['],
  ['sec-fetch-site', 'cross-site'],
  ['cookie', 'deskwire-session=; deskwire-session=x; =; ;;; deskwire-preferences=%'],
  ['cookie', `deskwire-notice=${'%'.repeat(2000)}`],
  ['cookie', `deskwire-preferences=${'a=b&'.repeat(800)}`],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip'],
  ['range', 'bytes=0-0,-1,5-1'],
  ['if-modified-since', 'Thu, 31 Feb 2026 24:00:00 GMT'],
  ['forwarded', 'for="[::1]:99999"'],
  ['x-forwarded-for', 'unknown, 256.1.1.1, ::ffff:7f00:1'],
  ['x-forwarded-for', ',,,'],
  ['x-forwarded-proto', 'javascript'],
  ['x-forwarded-host', 'evil.example'],
  ['x-http-method-override', 'DELETE'],
  ['host', 'evil.example'],
  ['host', ''],
  ['te', 'trailers, deflate;q=0.5'],
  ['upgrade', 'h2c'],
  ['connection', 'upgrade, keep-alive, x'],
  ['last-event-id', '-1'],
  ['hx-request', 'true'],
  ['user-agent', 'x'.repeat(3000)],
  ['user-agent', '<script>alert(1)</script>'],
  ['dnt', '\u00ff\u00fe'],
];

/** The caller's own headers among the usual ones, and some unusual ones if the plan says so. */
export const headersOf = (plan: RequestPlan, accept: string, own: readonly Header[], body?: Body): Header[] => [
  ...ordinaryHeaders(plan, accept),
  ...own,
  ...(plan.has('headers') ? unusualHeaders(plan) : []),
  ...(body ? ([['content-type', body.type]] as const) : []),
];

/** Each request has another address, so that limits on strangers hide no handler. */
function ordinaryHeaders({ choices, index }: RequestPlan, accept: string): Header[] {
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  return [
    ['accept', accept],
    ['x-forwarded-for', address],
    ...(choices.isLikely(0.3) ? ([['accept-encoding', 'gzip, deflate']] as const) : []),
    ...(choices.isLikely(0.1) ? ([['idempotency-key', `fuzz-${choices.integer(1, 500)}`]] as const) : []),
  ];
}

function unusualHeaders({ choices }: RequestPlan): Header[] {
  return Array.from({ length: choices.integer(1, 4) }, () => choices.pick(UNUSUAL));
}
