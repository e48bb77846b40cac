import { InvalidField } from '#libs/entities';
import { parseUrl } from '#libs/settings';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MAX_URI_CHARACTERS = 2048;

/** A domain backwards (RFC 8252 section 7.1), and two editors that register no such scheme. */
const PRIVATE_USE_SCHEME = /^(?:[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+|cursor|vscode):\/*[^/]/;

/**
 * Returns the URI unchanged, because it is later compared by character. Plain http would reveal codes on the network.
 * Only public clients have private-use schemes: other programs of the machine can register them too.
 */
export function validateRedirectUri(text: string, isPublic = false): string {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  const refusal = (fault: string) => new InvalidField('redirect_uri', 'invalid_redirect_uri', `“${shown}” ${fault}.`);
  const url = parseUrl(text);
  const isPrivateUse = isPublic && PRIVATE_USE_SCHEME.test(text);
  if (!url || !(isPrivateUse || /^https?:\/\/[^/]/.test(text)) || /[\s\\*\p{C}]/u.test(text))
    throw refusal('is not an absolute https:// address without wildcards');
  if (text.length > MAX_URI_CHARACTERS) throw refusal(`is longer than ${MAX_URI_CHARACTERS} characters`);
  if (text.includes('#')) throw refusal('has a fragment, which never reaches the application');
  if (url.username || url.password) throw refusal('has a user name in it');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw refusal('uses http:, which is only for this machine (127.0.0.1, [::1], localhost); use https:');
  return text;
}

const MAX_REDIRECT_URIS = 20;

export function validateRedirectUris(texts: readonly string[], isPublic = false): string[] {
  if (texts.length === 0)
    throw new InvalidField(
      'redirect_uri',
      'missing_redirect_uri',
      'An application must have at least one redirect URI.',
    );
  if (texts.length > MAX_REDIRECT_URIS)
    throw new InvalidField(
      'redirect_uri',
      'too_many_redirect_uris',
      `An application has at most ${MAX_REDIRECT_URIS} redirect URIs.`,
    );
  return [...new Set(texts.map((text) => validateRedirectUri(text, isPublic)))];
}

/** An installed application listens on a port that it cannot know before (RFC 8252 section 7.3). */
export function isRegisteredRedirect(uri: string, registered: readonly string[], isPublic: boolean): boolean {
  if (registered.includes(uri)) return true;
  return isPublic && isLoopback(uri) && registered.some((one) => isLoopback(one) && portless(one) === portless(uri));
}

const isLoopback = (uri: string): boolean => {
  const url = parseUrl(uri);
  return url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
};

/** Everything else is compared by character. */
const portless = (uri: string): string => uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?#]*)):\d{1,5}(?=[/?]|$)/, '$1');

/** Where the code goes, for people. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return host;
  return protocol === 'http:' ? `a program on this device (${hostname})` : `an app on this device (${protocol})`;
}

export function validateHomePage(text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:\/\/[^/]/.test(text) || text.length > MAX_URI_CHARACTERS)
    throw new InvalidField('home_page', 'invalid_home_page', 'The home page must be an https:// or http:// address.');
  return url.href;
}
