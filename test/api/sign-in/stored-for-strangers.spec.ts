import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { Person, csrfOf } from '../../oauth/support/person.js';

const oauth = oauthDeskForFile({ SMTP_URL: 'smtp://127.0.0.1:9' });

async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await oauth.desk.sql.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition order by 1`,
  );
  const counts = rows.map(({ name }) => `(select count(*)::int from ${name}) as ${name}`);
  return (await oauth.desk.sql.query<Record<string, number>>(`select ${counts.join(', ')}`)).rows[0]!;
}

const LONG = 'x'.repeat(14_000);
const stranger = (method: string, path: string, body?: URLSearchParams) =>
  fetch(`${oauth.base}${path}`, {
    method,
    redirect: 'manual',
    headers: { accept: 'text/html' },
    ...(body && { body }),
  });

describe('a visitor without a session', () => {
  it('stores no row with pages, forms without a valid CSRF token, or an Idempotency-Key', async () => {
    const before = await rowCounts();
    const pages = [
      `/inbox?q=${LONG}`,
      '/tickets/1',
      oauth.authorizePath(),
      oauth.authorizePath({ state: LONG.slice(0, 9000) }),
    ];
    const forms = [
      '/sign-in',
      '/sign-in/account',
      '/forgot-password',
      '/set-password/unknown',
      '/tickets',
      '/sign-out',
    ];
    const body = new URLSearchParams({ email: oauth.desk.account.owner.email, password: PASSWORD, csrf: 'x' });
    for (let n = 0; n < 5; n++) await Promise.all([...pages, ...forms].map((path) => stranger('GET', path)));
    await Promise.all(forms.map((path) => stranger('POST', path, body)));
    const headers = { 'idempotency-key': 'a', authorization: 'Bearer x' };
    const answer = await oauth.desk.anonymous().post('/v1/tickets', {}, headers);

    expect(answer.status).toBe(401);
    expect(await rowCounts()).toEqual(before);
  });
});

describe('the return path of a sign-in', () => {
  it('loses its query when it is longer than 2,048 characters', async () => {
    const person = new Person(oauth.base);
    await person.get(`/inbox?q=${LONG}`);

    expect((await person.signIn(oauth.desk.account.owner.email, PASSWORD)).location).toBe('/inbox');
  });

  it('keeps every cookie small enough for a browser', async () => {
    const { headers } = await new Person(oauth.base).get(`/inbox?q=${'x'.repeat(2000)}`);

    expect(headers.getSetCookie()).toHaveLength(2);
    for (const cookie of headers.getSetCookie()) expect(cookie.length).toBeLessThan(4096);
  });

  it('expires after half an hour, with the cookie still present', async () => {
    const person = new Person(oauth.base);
    await person.get('/inbox?q=late');
    oauth.desk.clock.advance({ minutes: 31 });

    expect((await person.signIn(oauth.desk.account.owner.email, PASSWORD)).location).toBe('/');
  });

  it('cannot be forged: the cookie is signed and bound to the browser', async () => {
    const mallory = new Person(oauth.base);
    await mallory.get('/inbox?q=planted');
    const planted = mallory.cookies.get('deskwire-return-to')!;
    const [expiry, , signature] = planted.split('.');
    const changed = [expiry, Buffer.from('//evil.example/').toString('base64url'), signature].join('.');
    const locations = [];
    for (const value of [planted, changed, 'x'.repeat(200), '']) {
      const victim = new Person(oauth.base);
      await victim.get('/sign-in');
      victim.cookies.set('deskwire-return-to', value);
      locations.push((await victim.signIn(oauth.desk.account.owner.email, PASSWORD)).location);
    }

    expect(locations).toEqual(['/', '/', '/', '/']);
  });
});

describe('an authorization request of more than 2,048 characters', () => {
  it('redirects to the application with invalid_request, with or without a session', async () => {
    const path = oauth.authorizePath({ state: LONG.slice(0, 2500) });
    const answers = [await new Person(oauth.base).get(path), await (await oauth.person()).get(path)];
    const errors = answers.map(({ location }) => new URL(location!).searchParams.get('error'));

    expect(errors).toEqual(['invalid_request', 'invalid_request']);
  });
});

describe('the sign-in form', () => {
  it('expires after a day', async () => {
    const person = new Person(oauth.base);
    const csrf = csrfOf(await person.get('/sign-in'));
    const form = { csrf, email: oauth.desk.account.owner.email, password: PASSWORD };
    oauth.desk.clock.advance({ hours: 24, seconds: 1 });

    expect((await person.post('/sign-in', form)).status).toBe(403);
    expect((await person.signIn(form.email, PASSWORD)).status).toBe(303);
  });

  it('stays valid while other pages of the same browser are opened', async () => {
    const person = new Person(oauth.base);
    const csrf = csrfOf(await person.get('/sign-in'));
    oauth.desk.clock.advance({ hours: 13 });
    await person.get('/forgot-password');
    oauth.desk.clock.advance({ hours: 13 });
    const form = { csrf, email: oauth.desk.account.owner.email, password: PASSWORD };

    expect((await person.post('/sign-in', form)).status).toBe(303);
  });
});
