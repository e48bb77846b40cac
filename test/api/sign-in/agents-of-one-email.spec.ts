// @module-tag long
import { PasswordsService } from '#libs/access';
import { beforeEach, describe, expect, it } from 'vitest';
import { inviteElsewhere } from '../../oauth/support/invited-agent.js';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { type Attempt, attemptAt, knownBrowser, multiplyAttempts, times } from './attempts.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { type Page, Person } from '../../oauth/support/person.js';
import type { SeededAgent } from '#test/support/seed.js';

const OWN = 'a password of the attacker';

// Without SMTP_URL, an invitation shows its link.
const oauth = oauthDeskForFile({ TRUSTED_PROXIES: '127.0.0.0/8' });

/** The same email in two accounts: the victim’s, and one whose owner has invited that email. */
let victim: SeededAgent;
let attacker: { id: string; accountId: string };
beforeEach(async () => {
  await oauth.desk.sql.query('delete from throttles');
  victim = await oauth.agent();
  attacker = await inviteElsewhere(oauth, victim.email, OWN);
});

const setPassword = (accountId: string, agentId: string, password: string) =>
  oauth.desk.api.get(PasswordsService).set(accountId, agentId, password);

const attempt = (one: Partial<Attempt> = {}) => attemptAt(oauth, { from: '198.51.100.1', email: victim.email, ...one });

async function statuses(count: number, one: (n: number) => Partial<Attempt>): Promise<number[]> {
  const answered = [];
  for (let n = 0; n < count; n++) answered.push((await attempt(one(n))).status);
  return answered;
}

const offers = ({ html, status }: Page): string =>
  status === 200 ? ['Acme', 'Globex'].filter((name) => html.includes(name)).join(' and ') : `${status}`;

const browserOf = (password: string, from = '192.0.2.1') =>
  knownBrowser(oauth, { email: victim.email, password, from });

const browsersOf = async (password: string, count: number): Promise<Person[]> => {
  const browsers = [];
  for (let n = 0; n < count; n++) browsers.push(await browserOf(password, `192.0.2.${n}`));
  return browsers;
};

async function noticesToVictim(): Promise<number> {
  const { rowCount } = await oauth.desk.sql.query(
    "select from outgoing_mails where kind = 'sign_in_notice' and recipient = $1",
    [victim.email],
  );
  return rowCount ?? 0;
}

/** Returns the responses to right and wrong passwords from an unknown and a known browser. */
async function answersTo(email: string, from: string): Promise<number[]> {
  const person = new Person(oauth.base);
  await attempt({ password: OWN, person, email, from });
  person.cookies.delete('deskwire-session');
  const own = await statuses(12, () => ({ password: OWN, email, from }));
  const known = await statuses(12, () => ({ person, email, from }));
  const unknown = await statuses(12, () => ({ email, from }));
  return [...own, ...known, ...unknown];
}

describe('browsers that know only another agent of the email', () => {
  it('try ten passwords of an agent from one address', async () => {
    const browsers = await browsersOf(OWN, 3);
    await statuses(10, (n) => ({ person: browsers[n % 2]! }));
    const right = await attempt({ password: PASSWORD, person: browsers[2]! });
    const elsewhere = await attempt({ password: PASSWORD, person: browsers[2]!, from: '198.51.100.2' });

    expect([right.status, elsewhere.status]).toEqual([422, 303]);
  });

  it('try a hundred passwords of an agent in an hour from all addresses', async () => {
    const browsers = await browsersOf(OWN, 4);
    await statuses(4, (n) => ({ person: browsers[n % 3]!, from: `198.51.100.${n}` }));
    await multiplyAttempts(oauth, 25);
    const right = () => attempt({ password: PASSWORD, person: browsers[3]!, from: '198.51.100.99' });
    const throttled = await right();
    oauth.desk.clock.advance({ hours: 1, seconds: 1 });

    expect([throttled.status, (await right()).status]).toEqual([422, 303]);
  });

  it('have 200 attempts an hour together, and then those of an unknown browser', async () => {
    const browsers = await browsersOf(OWN, 3);
    await statuses(2, (n) => ({ person: browsers[n]! }));
    await multiplyAttempts(oauth, 100);
    const answered = await statuses(11, () => ({ person: browsers[2]!, from: '198.51.100.3' }));

    expect(answered).toEqual([...times(10, 422), 429]);
  });

  it('cause a notice when they sign in as an agent for the first time', async () => {
    await browserOf(PASSWORD);
    const person = await browserOf(OWN);
    const before = await noticesToVictim();
    await attempt({ password: PASSWORD, person });

    expect(await noticesToVictim()).toBe(before + 1);
  });
});

describe('the right password of another agent of the email', () => {
  it('does not lower the count of wrong ones', async () => {
    const answered = await statuses(10, (n) => (n % 2 === 0 ? {} : { password: OWN }));
    const right = await attempt({ password: PASSWORD });

    expect(answered).toEqual(times(5, [422, 303]).flat());
    expect(right.status).toBe(422);
  });

  it('counts as an attempt at the others, so that changing it is no way to guess', async () => {
    const answered = await statuses(10, () => ({ password: OWN }));
    await setPassword(attacker.accountId, attacker.id, PASSWORD);
    const guessed = await attempt({ password: PASSWORD });
    const elsewhere = await attempt({ password: PASSWORD, from: '198.51.100.2' });

    expect(answered).toEqual(times(10, 303));
    expect([offers(guessed), offers(elsewhere)]).toEqual(['303', 'Acme and Globex']);
  });

  it('opens the account of that agent only, while the other is throttled', async () => {
    const browser = await browserOf(OWN);
    await statuses(10, () => ({}));

    expect((await attempt({ password: PASSWORD, person: browser })).status).toBe(422);
    expect((await attempt({ password: OWN, person: browser })).status).toBe(303);
  });
});

describe('the responses to a browser that knows one agent of the email', () => {
  it('do not tell whether there are others', async () => {
    const alone = `alone-${victim.email}`;
    await inviteElsewhere(oauth, alone, OWN);

    expect(await answersTo(victim.email, '203.0.113.1')).toEqual(await answersTo(alone, '203.0.113.2'));
  });
});

describe('a person with agents in two accounts', () => {
  it('signs in with a browser that knows both, while the email is throttled', async () => {
    await setPassword(attacker.accountId, attacker.id, PASSWORD);
    const person = new Person(oauth.base);
    for (const id of [victim.id, attacker.id]) {
      const choice = await attempt({ password: PASSWORD, person, from: '192.0.2.1' });
      expect(offers(choice)).toBe('Acme and Globex');
      expect((await person.submit(choice, '/sign-in/account', { agent: id })).status).toBe(303);
      person.cookies.delete('deskwire-session');
    }
    await statuses(4, (n) => ({ from: `198.51.100.${n}` }));
    await multiplyAttempts(oauth, 25);
    const stranger = await attempt({ password: PASSWORD, from: '192.0.2.2' });

    expect(stranger.status).toBe(429);
    expect(offers(await attempt({ password: PASSWORD, person, from: '192.0.2.2' }))).toBe('Acme and Globex');
  });

  it('signs in as the one that the browser knows', async () => {
    const person = await browserOf(PASSWORD);
    await statuses(4, (n) => ({ from: `198.51.100.${n}` }));
    await multiplyAttempts(oauth, 25);

    expect((await attempt({ password: PASSWORD, person })).status).toBe(303);
    expect((await person.get('/profile')).html).toContain('agent of Acme');
  });

  it('confirms an action with the password of the account that is open', async () => {
    const person = new Person(oauth.base);
    await attempt({ password: OWN, person });
    const change = async (current: string) => {
      const page = await person.get('/profile');
      return (await person.submit(page, '/profile/password', { current, password: `${OWN} 2` })).status;
    };

    expect([await change(PASSWORD), await change(OWN)]).toEqual([422, 303]);
  });
});
