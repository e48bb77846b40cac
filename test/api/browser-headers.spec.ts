import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { Person, csrfOf } from '../oauth/support/person.js';
import { type Desk, startDesk } from '../support/desk.js';

describe('An installation that is reached over https', () => {
  const PATHS = [
    '/sign-in',
    '/v1/tickets',
    '/healthz',
    '/openapi.json',
    '/nowhere',
    '/oauth/authorize',
    '/assets/x/console.css',
  ];
  let secure: Desk;
  let plain: Desk;
  beforeAll(async () => {
    [secure, plain] = await Promise.all([
      startDesk({ settings: { PUBLIC_URL: 'https://desk.example.com' } }),
      startDesk(),
    ]);
  });
  afterAll(() => Promise.all([secure.stop(), plain.stop()]));

  it.each(PATHS)('says with every answer that browsers must come over https: %s', async (path) => {
    const { headers } = await fetch(`${secure.base}${path}`, { redirect: 'manual' });

    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it.each(PATHS)('is not every installation: over http nothing is said: %s', async (path) => {
    const { headers } = await fetch(`${plain.base}${path}`, { redirect: 'manual' });

    expect(headers.has('strict-transport-security')).toBe(false);
  });
});

describe('A form from a frame or a file that hides where it is', () => {
  let oauth: OAuthDesk;
  beforeAll(async () => {
    oauth = await OAuthDesk.start();
  });
  afterAll(() => oauth.stop());

  /** Everything that the form of this browser carries, and where it says that it comes from. */
  async function signIn(origin: string | undefined): Promise<number> {
    const person = new Person(oauth.base);
    const csrf = csrfOf(await person.get('/sign-in'));
    const { email } = await oauth.agent();
    const headers = origin === undefined ? {} : { origin };
    return (await person.post('/sign-in', { email, password: PASSWORD, csrf }, headers)).status;
  }

  it.each(['null', 'https://evil.example'])('is refused, whatever its token: Origin: %s', async (origin) => {
    expect(await signIn(origin)).toBe(403);
  });

  it('is not one that says where it is, or comes from a browser that says nothing', async () => {
    expect(await signIn(oauth.base)).toBe(303);
    expect(await signIn(undefined)).toBe(303);
  });
});
