import { InvalidField } from '#libs/entities';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const LONGEST = 2048;

/**
 * A redirect URI is later compared character for character, so it is kept as it was given; but what no browser could
 * be sent to safely is not registered at all. Plain http carries codes in the clear: on this machine, nobody listens.
 */
export function validateRedirectUri(text: string): string {
  const refuse = (why: string) => new InvalidField('redirect_uri', 'invalid_redirect_uri', `“${text}” ${why}.`);
  if (!URL.canParse(text) || !/^https?:\/\/[^/]/.test(text) || /[\s\\*]/.test(text))
    throw refuse('is not an absolute https:// address without wildcards');
  const url = new URL(text);
  if (text.length > LONGEST) throw refuse(`is longer than ${LONGEST} characters`);
  if (text.includes('#')) throw refuse('has a fragment, which never reaches the application');
  if (url.username || url.password) throw refuse('has a user name in it');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw refuse('uses http:, which is only for this machine (127.0.0.1, [::1], localhost); use https:');
  return text;
}

export function validateRedirectUris(texts: readonly string[]): string[] {
  if (texts.length === 0)
    throw new InvalidField('redirect_uri', 'missing_redirect_uri', 'An application has at least one redirect URI.');
  return [...new Set(texts.map(validateRedirectUri))];
}
