import { InvalidField, type Webhook } from '#libs/entities';

type Headers = Readonly<Record<string, string>>;

export type Authentication =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

/** Undefined keeps the values, null removes them. */
export interface WantedHeaders {
  readonly headers?: Headers | null | undefined;
  readonly authentication?: Authentication | null | undefined;
}

/** As sealed. Workers send both parts. */
export type SealedHeaders = Readonly<Record<(typeof HEADER_PARTS)[number], Headers>>;
export const HEADER_PARTS = ['headers', 'authentication'] as const;

export const NO_HEADERS: SealedHeaders = { headers: {}, authentication: {} };

export function mergeHeaders(before: SealedHeaders, { headers, authentication }: WantedHeaders): SealedHeaders {
  const after = {
    headers: headers === undefined ? before.headers : lowerCased(headers ?? {}),
    authentication: authentication === undefined ? before.authentication : authorizationOf(authentication),
  };
  if ('authorization' in after.headers && 'authorization' in after.authentication)
    throw new InvalidField('authentication', 'one_of_two', 'send either authentication or headers.authorization');
  return after;
}

const lowerCased = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function authorizationOf(given: Authentication | null): Headers {
  if (given === null) return {};
  if (given.type === 'bearer') return { authorization: `Bearer ${given.token}` };
  return { authorization: `Basic ${Buffer.from(`${given.username}:${given.password}`).toString('base64')}` };
}

/** Otherwise a person who may change the URL could read values that are never shown. */
export function requireHeadersAgain(webhook: Webhook, url: string, { headers, authentication }: WantedHeaders): void {
  const isKept =
    (headers === undefined && webhook.headerNames.length > 0) ||
    (authentication === undefined && webhook.authenticationType !== null);
  if (!isKept || new URL(url).origin === new URL(webhook.url).origin) return;
  const sentence = 'url has another host or port: also send headers and authentication, with their values or null';
  throw new InvalidField('url', 'credentials_required', sentence);
}
