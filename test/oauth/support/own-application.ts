import { REDIRECT_URI } from './oauth-desk.js';
import { type Page, type Person, csrfOf } from './person.js';

export const PATH = '/settings/applications/own';
export const FORM = { name: 'Ours', redirect_uri: REDIRECT_URI, type: 'confidential', 'scope[]': 'read' };

/** Sends the form of a new application. */
export async function createOwn(
  person: Person,
  fields: Record<string, string> = {},
  scopes: readonly string[] = ['read'],
) {
  const form = new URLSearchParams({ csrf: csrfOf(await person.get('/profile')), ...FORM, ...fields });
  form.delete('scope[]');
  for (const scope of scopes) form.append('scope[]', scope);
  return person.send('POST', PATH, { body: form });
}

/** The new secret, if the page shows one, and the client id. */
export const codesOf = ({ html }: Page): string[] =>
  [...html.matchAll(/<code class="break">([\w-]+)<\/code>/g)].map(([, code]) => code!);
