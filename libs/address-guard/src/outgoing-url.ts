import { parseUrl } from '#libs/settings';

export const MAX_URL_LENGTH = 2048;

type CheckedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly code: string; readonly message: string };

/**
 * Other protocols' servers could mistake a request for a command: the Fetch standard's “bad ports”, remote shells and
 * data stores.
 */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530,
  531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375,
  2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 9042, 9092, 10080, 11211, 27017,
]);

/**
 * Also checked before each attempt, in case a setting became stricter. The host’s address is checked when connecting.
 */
export function checkOutgoingUrl(text: string, { requireHttps }: { readonly requireHttps: boolean }): CheckedUrl {
  if (text.length > MAX_URL_LENGTH) return fault('url_too_long', `must be at most ${MAX_URL_LENGTH} characters long`);
  // The parser silently drops or repairs these.
  if (/[\s\p{C}\\]/u.test(text)) return fault('url_malformed', 'must not contain spaces, control characters or \\');
  if (!/^https?:/i.test(text)) return fault('url_scheme', 'must start with https:// or http://');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  const url = parseUrl(text);
  if (authority === undefined || !url) return fault('url_malformed', 'is not a valid address');
  if (authority.includes('@')) return fault('url_credentials', 'must not contain a user name or password');
  if (text.includes('#')) return fault('url_fragment', 'must not contain a fragment');
  return checkParts(url, requireHttps);
}

/** Two spellings of one address become equal. */
export function requestTarget(text: string): string {
  const url = new URL(text);
  return `${url.protocol}//${hostAndPort(url)}${url.pathname}${url.search}`;
}

export function hostOfUrl(text: string): string {
  const url = parseUrl(text);
  return url ? hostAndPort(url) : text;
}

/** Always with the port, never with a trailing dot. */
function hostAndPort(url: URL): string {
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  return `${url.hostname.replace(/\.$/, '')}:${url.port || defaultPort}`;
}

function checkParts(url: URL, requireHttps: boolean): CheckedUrl {
  if (requireHttps && url.protocol !== 'https:') return fault('url_https_required', 'must use https');
  if (/^\.?$/.test(url.hostname)) return fault('url_malformed', 'has no host');
  // Some proxies read `127.0.0.1..` as an address.
  if (/^\.|\.\./.test(url.hostname)) return fault('url_malformed', 'has an empty part in its host');
  if (url.port !== '' && REFUSED_PORTS.has(Number(url.port))) {
    return fault('url_port', `must not use port ${url.port}, which belongs to another service`);
  }
  return { ok: true, url };
}

function fault(code: string, message: string): CheckedUrl {
  return { ok: false, code, message };
}
