import { codeAt } from '#test/support/authenticator.js';
import type { OAuthDesk } from './oauth-desk.js';
import { PASSWORD } from './oauth-desk.js';
import { type Page, Person } from './person.js';

const PATH = '/profile/two-factor';

export interface Enrolled {
  readonly email: string;
  readonly id: string;
  readonly key: string;
  readonly recoveryCodes: readonly string[];
  /** The browser that set it up. */
  readonly person: Person;
}

/** Sets up two-factor sign-in in the pages, by default for a new agent, and advances to an unused code. */
export async function enrol(oauth: OAuthDesk, agent?: { id: string; email: string }): Promise<Enrolled> {
  const { id, email } = agent ?? (await oauth.agent());
  const person = await oauth.person(email);
  const { key, page } = await startSetUp(person);
  const done = await person.submit(page, `${PATH}/confirm`, { code: codeOf(oauth, { key }) });
  if (done.status !== 200) throw new Error(`not set up: ${done.status} ${done.html}`);
  oauth.desk.clock.advance({ seconds: 31 });
  return { id, email, key, recoveryCodes: recoveryCodesOf(done), person };
}

/** The code of the agent's app, now or at another time. */
export const codeOf = ({ desk }: OAuthDesk, { key }: Pick<Enrolled, 'key'>, seconds = 0): string =>
  codeAt(key, new Date(desk.clock.now().getTime() + seconds * 1000));

/** A code that is invalid for all neighbouring time steps. */
export function wrongCodeOf(oauth: OAuthDesk, agent: Enrolled): string {
  const near = new Set([-60, -30, 0, 30, 60].map((seconds) => codeOf(oauth, agent, seconds)));
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.has(code))!;
}

export async function startSetUp(person: Person): Promise<{ key: string; page: Page }> {
  await person.submit(await person.get(PATH), `${PATH}/start`, { password: PASSWORD });
  const page = await person.get(PATH);
  return { page, key: /data-key[^>]*>([A-Z2-7 ]+)</.exec(page.html)?.[1] ?? '' };
}

export const recoveryCodesOf = ({ html }: Page): string[] =>
  [...html.matchAll(/<li><code>([a-z0-9-]+)<\/code>/g)].map(([, code]) => code!);

/** Returns a browser after the password step, on the page that asks for a code. */
export async function challenged(oauth: OAuthDesk, email: string, person = new Person(oauth.base)): Promise<Person> {
  const page = await person.signIn(email, PASSWORD);
  if (page.location !== '/sign-in/code') throw new Error(`not asked for a code: ${page.status} ${page.location}`);
  return person;
}

export async function giveCode(person: Person, code: string): Promise<Page> {
  return person.submit(await person.get('/sign-in/code'), '/sign-in/code', { code });
}

export async function giveRecoveryCode(person: Person, code: string): Promise<Page> {
  return person.submit(await person.get('/sign-in/recovery-code'), '/sign-in/recovery-code', { code });
}
