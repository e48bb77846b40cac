import { beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { type Attempt, attemptAt, knownBrowser, multiplyAttempts, times } from './attempts.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person, csrfOf } from '../../oauth/support/person.js';

const oauth = oauthDeskForFile({ TRUSTED_PROXIES: '127.0.0.0/8', SMTP_URL: 'smtp://127.0.0.1:9' });
let email: string;
beforeEach(async () => {
  ({ email } = await oauth.agent());
});

const attempt = (one: Omit<Attempt, 'email'> & Partial<Attempt>) => attemptAt(oauth, { email, ...one });

const statuses = async (count: number, one: (n: number) => Parameters<typeof attempt>[0]): Promise<number[]> => {
  const answered = [];
  for (let n = 0; n < count; n++) answered.push((await attempt(one(n))).status);
  return answered;
};

const enter = async (from: string, more: Partial<Attempt> = {}): Promise<number> =>
  (await attempt({ from, password: PASSWORD, ...more })).status;

const rowCount = async () => (await oauth.desk.sql.query('select from throttles')).rowCount;

async function askForLink(n: number): Promise<number> {
  const person = new Person(oauth.base);
  const csrf = csrfOf(await person.get('/forgot-password'));
  const form = { csrf, email: `nobody${n}@acme.test` };
  return (await person.post('/forgot-password', form, { 'x-forwarded-for': '198.51.100.33' })).status;
}

/** Uses up the attempts for an email from many addresses. */
async function guessFromEverywhere(as = email): Promise<void> {
  await oauth.desk.sql.query('delete from throttles');
  await statuses(4, (n) => ({ from: `198.51.100.${n}`, email: as }));
  await multiplyAttempts(oauth, 25);
}

const knownPerson = () => knownBrowser(oauth, { email });

describe('the limit of wrong passwords from one address', () => {
  it('refuses the right password too after ten, but not the agent at another address', async () => {
    const guesses = await statuses(11, () => ({ from: '198.51.100.7' }));
    const right = await attempt({ from: '198.51.100.7', password: PASSWORD });
    const other = await enter('192.0.2.7');
    const { rows } = await oauth.desk.sql.query('select address from sessions order by created_at desc limit 1');

    expect(guesses).toEqual([...times(10, 422), 429]);
    expect([right.status, other]).toEqual([429, 303]);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(rows).toEqual([{ address: '192.0.2.7' }]);
  });

  it('leaves the attempts of other addresses unchanged, with simultaneous requests too', async () => {
    await oauth.desk.sql.query('delete from throttles');
    const tries = times(60, { from: '198.51.100.8' });
    const answered = (await Promise.all(tries.map((one) => attempt(one)))).map(({ status }) => status);
    const { rows } = await oauth.desk.sql.query<{ count: number }>('select count from throttles order by count');

    expect(answered.filter((status) => status === 422)).toHaveLength(10);
    // The counters of the email and of the agent, each with and without this address, and of the address.
    expect(rows.map(({ count }) => count)).toEqual([10, 10, 10, 10, 60]);
  });

  it('ignores the port that some proxies add to the address', async () => {
    const answered = await statuses(11, (n) => ({ from: `198.51.100.9:${5000 + n}` }));

    expect(answered).toEqual([...times(10, 422), 429]);
  });

  it('counts the addresses of an IPv6 network together', async () => {
    const answered = await statuses(11, (n) => ({ from: `2001:db8:0:1::${n + 1}` }));

    expect(answered.at(-1)).toBe(429);
    expect(await statuses(1, () => ({ from: '2001:db8:0:2::1' }))).toEqual([422]);
  });
});

describe('the limit of wrong passwords from many addresses', () => {
  it('applies to the right password too, with the same page for an unknown email', async () => {
    await guessFromEverywhere();
    const known = await attempt({ from: '192.0.2.1', password: PASSWORD });
    const page = known.html.replaceAll(email, 'E-MAIL');
    email = 'nobody@acme.test';
    await guessFromEverywhere();
    const unknown = await attempt({ from: '192.0.2.2', password: PASSWORD });

    expect([known.status, unknown.status]).toEqual([429, 429]);
    expect(unknown.html.replaceAll(email, 'E-MAIL')).toBe(page);
  });

  it('does not affect an agent who is signed in: the password can be changed', async () => {
    const person = new Person(oauth.base);
    await attempt({ from: '192.0.2.1', password: PASSWORD, person });
    await guessFromEverywhere();
    const page = await person.get('/profile');
    const changed = await person.submit(page, '/profile/password', { current: PASSWORD, password: `${PASSWORD} 2` });

    expect(changed.location).toBe('/profile');
  });

  it('ends after an hour', async () => {
    await guessFromEverywhere();
    oauth.desk.clock.advance({ hours: 1, seconds: 1 });

    expect(await enter('192.0.2.1')).toBe(303);
  });
});

describe('a known browser', () => {
  it('has ten attempts of its own, and then those of an unknown browser', async () => {
    const person = await knownPerson();
    const answered = await statuses(21, () => ({ from: '198.51.100.20', person }));

    expect(answered).toEqual([...times(20, 422), 429]);
  });

  it('counts as known only for the emails that have signed in with it', async () => {
    const person = await knownPerson();
    const other = (await oauth.agent()).email;
    const enterAs = (as: string) => {
      person.cookies.delete('deskwire-session');
      return enter('192.0.2.1', { person, email: as });
    };
    await guessFromEverywhere(other);
    expect(await enterAs(other)).toBe(429);
    oauth.desk.clock.advance({ hours: 1, seconds: 1 });
    expect(await enterAs(other)).toBe(303);

    await guessFromEverywhere();
    expect(await enterAs(email)).toBe(303);
  });

  it('cannot be forged', async () => {
    const person = await knownPerson();
    const cookie = person.cookies.get('deskwire-known-browser')!;
    await guessFromEverywhere();
    const forged = [
      cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      cookie.replace(/^./, '0'),
      cookie.split('.')[1]!,
      'x',
    ];
    for (const value of forged) {
      const mallory = new Person(oauth.base);
      mallory.cookies.set('deskwire-known-browser', value);
      expect(await enter('192.0.2.1', { person: mallory })).toBe(429);
    }
  });
});

describe('the table of counters', () => {
  it('does not grow when an attempt is refused', async () => {
    await statuses(10, () => ({ from: '198.51.100.30' }));
    const before = await rowCount();
    const refused = await statuses(20, () => ({ from: '198.51.100.30' }));

    expect(new Set(refused)).toEqual(new Set([429]));
    expect(await rowCount()).toBe(before);
  });

  it('does not grow when a blocked address tries other emails', async () => {
    await attempt({ from: '198.51.100.31' });
    await oauth.desk.sql.query('update throttles set count = 1000');
    const before = await rowCount();
    const refused = await statuses(20, (n) => ({ from: '198.51.100.31', email: `nobody${n}@acme.test` }));

    expect(new Set(refused)).toEqual(new Set([429]));
    expect(await rowCount()).toBe(before);
  });

  it('does not grow with a right password, so that an office can share an address', async () => {
    // The first sign-in adds a counter for emails to the agent.
    await attempt({ from: '198.51.100.32', password: PASSWORD });
    const before = await rowCount();
    await attempt({ from: '198.51.100.32', password: PASSWORD });

    expect(await rowCount()).toBe(before);
  });

  it('does not grow when an email with a password link is refused', async () => {
    for (let n = 0; n < 30; n++) await askForLink(n);
    const before = await rowCount();

    expect([await askForLink(31), await askForLink(32)]).toEqual([429, 429]);
    expect(await rowCount()).toBe(before);
  });
});
