import { InvalidField, SCOPES, type Scope } from '#libs/entities';
import { parseUrl } from '#libs/settings';

const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,253}$/;

export function validateEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!EMAIL.test(email)) throw new InvalidField('email', 'invalid_email', `“${text}” is not an e-mail address.`);
  return email;
}

export function validateName(field: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 100)
    throw new InvalidField(field, 'invalid_length', `The ${field.replaceAll('_', ' ')} must have 1 to 100 characters.`);
  return name;
}

const MIN_PASSWORD_CHARACTERS = 10;
const MAX_PASSWORD_CHARACTERS = 200;

export function validatePassword(password: string): string {
  if (password.length < MIN_PASSWORD_CHARACTERS)
    throw new InvalidField('password', 'too_short', `A password has at least ${MIN_PASSWORD_CHARACTERS} characters.`);
  if (password.length > MAX_PASSWORD_CHARACTERS)
    throw new InvalidField('password', 'too_long', `A password has at most ${MAX_PASSWORD_CHARACTERS} characters.`);
  return password;
}

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

export function validateScopes(wanted: readonly string[]): Scope[] {
  const unknown = wanted.find((scope) => !isScope(scope));
  if (unknown !== undefined || wanted.length === 0)
    throw new InvalidField('scopes', 'unknown_scope', `Scopes are one or more of ${SCOPES.join(', ')}.`);
  return SCOPES.filter((scope) => wanted.includes(scope));
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MAX_URI_CHARACTERS = 2048;

/** Returns the URI unchanged, because it is later compared by character. Plain http would reveal codes on the network. */
export function validateRedirectUri(text: string): string {
  const refuse = (fault: string) => new InvalidField('redirect_uri', 'invalid_redirect_uri', `“${text}” ${fault}.`);
  const url = parseUrl(text);
  if (!url || !/^https?:\/\/[^/]/.test(text) || /[\s\\*]/.test(text))
    throw refuse('is not an absolute https:// address without wildcards');
  if (text.length > MAX_URI_CHARACTERS) throw refuse(`is longer than ${MAX_URI_CHARACTERS} characters`);
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
