import { type OAuthDesk, PASSWORD } from '../../oauth/support/oauth-desk.js';
import { type Page, Person, csrfOf } from '../../oauth/support/person.js';

/** A sign-in with a wrong password by default, from a new browser at an address. */
export interface Attempt {
  readonly from: string;
  readonly email: string;
  readonly password?: string;
  readonly person?: Person;
}

export async function attemptAt(oauth: OAuthDesk, { from, email, ...rest }: Attempt): Promise<Page> {
  const { password = 'wrong password', person = new Person(oauth.base) } = rest;
  const csrf = csrfOf(await person.get('/sign-in'));
  return person.post('/sign-in', { csrf, email, password }, { 'x-forwarded-for': from });
}

/** Returns a browser in which the agent has signed in and out. */
export async function knownBrowser(
  oauth: OAuthDesk,
  { email, password = PASSWORD, from = '192.0.2.1' }: { email: string; password?: string; from?: string },
): Promise<Person> {
  const person = new Person(oauth.base);
  const { status } = await attemptAt(oauth, { from, email, password, person });
  if (status !== 303) throw new Error(`not signed in: ${status}`);
  person.cookies.delete('deskwire-session');
  return person;
}

/** Counts each attempt so far as many times. */
export const multiplyAttempts = ({ desk }: OAuthDesk, factor: number): Promise<unknown> =>
  desk.sql.query('update throttles set count = count * $1::int', [factor]);

export const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
