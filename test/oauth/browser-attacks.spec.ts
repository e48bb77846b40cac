import { describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { type Page, Person, csrfOf } from './support/person.js';

const oauth = oauthDeskForFile();

const owner = () => oauth.desk.account.owner.email;
const REFUSED = { status: 403, location: null };

/** Shows the consent page whatever was allowed before. */
const ASK = { prompt: 'consent' };

const csrfFor = async (person: Person, request = {}) =>
  csrfOf(await person.get(oauth.authorizePath({ ...ASK, ...request })));

describe('a forged consent', () => {
  it.each<[string, (victim: Person) => Promise<string>, Record<string, string>]>([
    ['without the CSRF token', async () => '', {}],
    ['with that of another session', async () => csrfFor(await oauth.person((await oauth.agent()).email)), {}],
    ['with that of another request', (victim) => csrfFor(victim, { scope: 'read' }), {}],
    ['from another site', (victim) => csrfFor(victim), { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', (victim) => csrfFor(victim), { 'sec-fetch-site': 'same-site' }],
    ['with a foreign origin', (victim) => csrfFor(victim), { origin: 'https://evil.example' }],
  ])('fails %s', async (_, csrfOfForm, headers) => {
    const victim = await oauth.person();
    const csrf = await csrfOfForm(victim);
    const form = { decision: 'allow', ...(csrf && { csrf }) };

    expect(await victim.post(oauth.authorizePath(ASK), form, headers)).toMatchObject(REFUSED);
  });

  it('only shows the page when it is a link instead of a form', async () => {
    const person = await oauth.person();
    const csrf = csrfOf(await person.get(oauth.authorizePath(ASK)));
    const page = await person.get(`${oauth.authorizePath(ASK)}&decision=allow&csrf=${csrf}`);

    expect(page.status).toBe(200);
    expect(page.location).toBeNull();
  });

  it('fails after signing out', async () => {
    const person = await oauth.person();
    const consent = await person.get(oauth.authorizePath(ASK));
    const copy = new Map(person.cookies);
    await person.post('/sign-out', { csrf: csrfsOf(consent).at(-1) ?? '' });
    for (const [name, value] of copy) person.cookies.set(name, value);
    const page = await person.submit(consent, oauth.authorizePath(ASK), { decision: 'allow' });

    expect(page.location).toBe('/sign-in');
  });
});

describe('another forged form', () => {
  it.each(['/sign-in', '/sign-in/account', '/forgot-password', '/set-password/abc'])(
    'fails without a CSRF token: %s',
    async (path) => {
      const stranger = new Person(oauth.base);
      await stranger.get('/sign-in');
      expect(await stranger.post(path, { email: owner(), password: PASSWORD })).toMatchObject(REFUSED);
    },
  );

  it('cannot sign a victim in as the attacker: a CSRF token works in one browser only', async () => {
    const mallory = new Person(oauth.base);
    const csrf = csrfOf(await mallory.get('/sign-in'));
    const victim = new Person(oauth.base);
    await victim.get('/sign-in');
    expect(await victim.post('/sign-in', { email: owner(), password: PASSWORD, csrf })).toMatchObject(REFUSED);
    expect(await new Person(oauth.base).post('/sign-in', { email: owner(), password: PASSWORD, csrf })).toMatchObject(
      REFUSED,
    );
  });

  it('cannot sign anyone out', async () => {
    const person = await oauth.person();
    expect(await person.post('/sign-out', {})).toMatchObject(REFUSED);
    expect((await person.get(oauth.authorizePath(ASK))).status).toBe(200);
  });
});

describe('protection against clickjacking and leaks', () => {
  it.each(['/sign-in', '/forgot-password', '/set-password/unknown', '/oauth/authorize'])(
    'covers %s: no frames, no inline code, no referrer to other sites, no cache',
    async (path) => {
      const { headers } = await new Person(oauth.base).get(path);

      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toMatch(/unsafe|\*/);
    },
  );

  it('covers the consent page, whose form leads to the application over https only', async () => {
    const { headers } = await (await oauth.person()).get(oauth.authorizePath(ASK));

    expect(headers.get('content-security-policy')).toContain("form-action 'self' https:;");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('covers the redirect with the code', async () => {
    const person = await oauth.person();
    const consent = await person.get(oauth.authorizePath(ASK));
    const { headers, html } = await person.submit(consent, oauth.authorizePath(ASK), { decision: 'allow' });

    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).toBe('');
  });

  it('escapes names and values on a page', async () => {
    const app = await oauth.application({ name: '<script>alert(1)</script>' });
    const person = await oauth.person();
    const consent = await person.get(oauth.authorizePath({ state: '"><script>' }, app));
    const signIn = await new Person(oauth.base).signIn('"><script>alert(2)</script>', 'x');

    expect(consent.html).toContain('&lt;script>alert(1)');
    for (const { html } of [consent, signIn]) expect(html).not.toContain('<script>');
  });
});

describe('session fixation', () => {
  it('fails with a live session too: a new sign-in ends it', async () => {
    const mallory = await oauth.person((await oauth.agent()).email);
    const planted = mallory.cookies.get('deskwire-session') ?? '';
    const victim = new Person(oauth.base);
    const page = await victim.get('/sign-in');
    victim.cookies.set('deskwire-session', planted);
    await victim.submit(page, '/sign-in', { email: owner(), password: PASSWORD });

    expect(victim.cookies.get('deskwire-session')).not.toBe(planted);
    expect((await mallory.get(oauth.authorizePath(ASK))).location).toBe('/sign-in');
  });

  it.each(['//evil.example/', '/\\evil.example/', 'https://evil.example/', '/\t/evil.example'])(
    'rejects %s as a local path',
    async (returnTo) => {
      const person = await oauth.person();
      const csrf = csrfsOf(await person.get(oauth.authorizePath(ASK))).at(-1) ?? '';
      await person.post(`/sign-out?return_to=${encodeURIComponent(returnTo)}`, { csrf });

      expect((await person.signIn(owner(), PASSWORD)).location).toBe('/');
    },
  );
});

describe('the session cookie', () => {
  it('stays unreadable for scripts and out of requests by other sites', async () => {
    const person = new Person(oauth.base);
    const signIn = await person.get('/sign-in');
    const { headers } = await person.submit(signIn, '/sign-in', { email: owner(), password: PASSWORD });

    expect(headers.getSetCookie()[0]).toMatch(/^deskwire-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/);
  });

  it('requires this host and https if the installation uses https', async () => {
    const secure = await OAuthDesk.start({ PUBLIC_URL: 'https://desk.example' });
    const { headers } = await new Person(secure.base).get('/sign-in');
    await secure.stop();

    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-deskwire-visit=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=/,
    );
  });
});

const csrfsOf = ({ html }: Pick<Page, 'html'>): string[] =>
  [...html.matchAll(/name="csrf" value="([^"]+)"/g)].map(([, token]) => token ?? '');
