import { type Page, type Person, csrfOf } from './person.js';

export interface Choice {
  /** All that are asked for, if absent. */
  readonly scopes?: readonly string[];
  readonly duration?: string;
}

/** Sends the form of the consent page as a browser does. */
export async function submitConsent(person: Person, path: string, { scopes, duration }: Choice): Promise<Page> {
  const form = new URLSearchParams({ csrf: csrfOf(await person.get(path)), decision: 'allow' });
  if (duration !== undefined) form.set('duration', duration);
  if (scopes) form.set('choosing', '1');
  for (const scope of scopes ?? []) form.append('scope[]', scope);
  return person.send('POST', path, { body: form });
}

/** The parameters with which the browser returns to the application. */
export const answerOf = ({ location }: Page) => Object.fromEntries(new URL(location ?? '').searchParams);
