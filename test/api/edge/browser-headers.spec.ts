import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../../oauth/support/oauth-desk.js';
import { Person, csrfOf } from '../../oauth/support/person.js';
import { type Desk, startDesk } from '#test/support/desk.js';

describe('the Strict-Transport-Security header', () => {
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

  it.each(PATHS)('accompanies every response of an https installation: %s', async (path) => {
    const { headers } = await fetch(`${secure.base}${path}`, { redirect: 'manual' });

    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it.each(PATHS)('does not accompany responses over http: %s', async (path) => {
    const { headers } = await fetch(`${plain.base}${path}`, { redirect: 'manual' });

    expect(headers.has('strict-transport-security')).toBe(false);
  });
});

describe('the sign-in form', () => {
  let oauth: OAuthDesk;
  beforeAll(async () => {
    oauth = await OAuthDesk.start();
  });
  afterAll(() => oauth.stop());

  /** Submits a valid form of this browser with the given Origin; returns the status. */
  async function signIn(origin: string | undefined): Promise<number> {
    const person = new Person(oauth.base);
    const csrf = csrfOf(await person.get('/sign-in'));
    const { email } = await oauth.agent();
    const headers = origin === undefined ? {} : { origin };
    return (await person.post('/sign-in', { email, password: PASSWORD, csrf }, headers)).status;
  }

  it.each(['null', 'https://evil.example'])(
    'returns 403 when a form with a valid token has a foreign origin: %s',
    async (origin) => {
      expect(await signIn(origin)).toBe(403);
    },
  );

  it('accepts the origin of the installation, and a request without an Origin', async () => {
    expect(await signIn(oauth.base)).toBe(303);
    expect(await signIn(undefined)).toBe(303);
  });
});
