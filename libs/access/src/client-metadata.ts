import { printable } from '#libs/address-guard';
import { InvalidField, validateName } from '#libs/entities';
import { isLoopback, parseUrl } from '#libs/settings';
import { validateRedirectUris } from './redirect-uris.js';

/** The document at a client’s ID (draft-ietf-oauth-client-id-metadata-document). */
export interface ClientMetadata {
  readonly clientId: string;
  readonly name: string;
  readonly homePage: string | null;
  readonly redirectUris: readonly string[];
}

type ParsedMetadata =
  | { readonly kind: 'metadata'; readonly metadata: ClientMetadata }
  | { readonly kind: 'refused'; readonly detail: string };

type Document = Readonly<Record<string, unknown>>;

const MAX_CLIENT_ID_CHARACTERS = 2048;
const MAX_REDIRECT_URIS = 20;

/** Without `requireHttps`, http is accepted on this machine. */
export function isMetadataUrl(text: string, requireHttps: boolean): boolean {
  if (text.length > MAX_CLIENT_ID_CHARACTERS || /[?#]/.test(text)) return false;
  const url = parseUrl(text);
  // Another spelling would be another client. The parser also removes dot segments.
  if (!url || url.href !== text || url.pathname === '/' || url.username || url.password) return false;
  return url.protocol === 'https:' || (!requireHttps && url.protocol === 'http:' && isLoopback(url.hostname));
}

/** `url` must be a metadata URL. */
export function parseClientMetadata(url: string, text: string): ParsedMetadata {
  try {
    return { kind: 'metadata', metadata: readMetadata(new URL(url), Object(JSON.parse(text)) as Document) };
  } catch (error) {
    if (!(error instanceof InvalidField || error instanceof SyntaxError)) throw error;
    return { kind: 'refused', detail: printable(error.message) };
  }
}

function readMetadata(url: URL, document: Document): ClientMetadata {
  if (document['client_id'] !== url.href) throw fault('client_id', 'must be the address of the document');
  if ('client_secret' in document) throw fault('client_secret', 'must be absent, because the document is public');
  if ((document['token_endpoint_auth_method'] ?? 'none') !== 'none')
    throw fault('token_endpoint_auth_method', 'must be none, because a public document cannot share a secret');
  requireAmong(document, 'grant_types', 'authorization_code');
  requireAmong(document, 'response_types', 'code');
  const redirectUris = readRedirectUris(document['redirect_uris'], url);
  return { clientId: url.href, name: readName(document, url), homePage: readHomePage(document, url), redirectUris };
}

function requireAmong(document: Document, name: string, needed: string): void {
  const values = document[name] ?? [needed];
  if (!Array.isArray(values) || !values.includes(needed)) throw fault(name, `must include ${needed}`);
}

/** Drops those on other hosts, which the document does not speak for. */
function readRedirectUris(value: unknown, { origin, host }: URL): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_REDIRECT_URIS || !value.every(isUri))
    throw fault('redirect_uris', `must be 1 to ${MAX_REDIRECT_URIS} URIs`);
  const own = value.filter((uri) => {
    const url = parseUrl(uri);
    return url?.origin === origin || (url?.protocol === 'http:' && isLoopback(url.hostname));
  });
  if (own.length === 0) throw fault('redirect_uris', `must have one on ${host} or on this machine`);
  return validateRedirectUris(own);
}

const isUri = (value: unknown): value is string => typeof value === 'string' && /^[!-~]+$/.test(value);

/** Without characters that could make it look like another name. */
export const plainName = (text: string): string => text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();

function readName(document: Document, { host }: URL): string {
  const value = document['client_name'] ?? '';
  if (typeof value !== 'string') throw fault('client_name', 'must be a text');
  return validateName('client_name', plainName(value) || host);
}

function readHomePage(document: Document, { origin }: URL): string | null {
  const value = document['client_uri'];
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  return url?.origin === origin && !url.username && !url.password ? url.href : null;
}

const fault = (field: string, rule: string) => new InvalidField(field, 'invalid_metadata', `${field} ${rule}.`);

const MIN_CACHE_SECONDS = 300;
const DEFAULT_CACHE_SECONDS = 3_600;
const MAX_CACHE_SECONDS = 86_400;

export function cacheSeconds(cacheControl: string | null): number {
  const directives = (cacheControl ?? '').toLowerCase();
  if (/(^|[\s,])no-(store|cache)\b/.test(directives)) return MIN_CACHE_SECONDS;
  const maxAge = /(?:^|[\s,])max-age="?(\d+)/.exec(directives)?.[1];
  if (maxAge === undefined) return DEFAULT_CACHE_SECONDS;
  return Math.min(Math.max(Number(maxAge), MIN_CACHE_SECONDS), MAX_CACHE_SECONDS);
}
