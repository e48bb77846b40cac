import { InvalidField } from '#libs/entities';
import { parseUrl } from '#libs/settings';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MAX_URI_CHARACTERS = 2048;

/** Returns the URI unchanged, because it is later compared by character. Plain http would reveal codes on the network. */
export function validateRedirectUri(text: string): string {
  const refusal = (fault: string) => new InvalidField('redirect_uri', 'invalid_redirect_uri', `“${text}” ${fault}.`);
  const url = parseUrl(text);
  if (!url || !/^https?:\/\/[^/]/.test(text) || /[\s\\*]/.test(text))
    throw refusal('is not an absolute https:// address without wildcards');
  if (text.length > MAX_URI_CHARACTERS) throw refusal(`is longer than ${MAX_URI_CHARACTERS} characters`);
  if (text.includes('#')) throw refusal('has a fragment, which never reaches the application');
  if (url.username || url.password) throw refusal('has a user name in it');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw refusal('uses http:, which is only for this machine (127.0.0.1, [::1], localhost); use https:');
  return text;
}

export function validateRedirectUris(texts: readonly string[]): string[] {
  if (texts.length === 0)
    throw new InvalidField(
      'redirect_uri',
      'missing_redirect_uri',
      'An application must have at least one redirect URI.',
    );
  return [...new Set(texts.map(validateRedirectUri))];
}
