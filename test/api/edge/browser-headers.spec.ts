import { afterAll, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../../oauth/support/oauth-desk.js';
import { Person, csrfOf } from '../../oauth/support/person.js';
import { startDesk } from '#test/support/desk.js';

const secure = await startDesk({ settings: { PUBLIC_URL: 'https://desk.example.com' } });
const oauth = await OAuthDesk.start();
afterAll(() => Promise.all([secure.stop(), oauth.stop()]));

const PATHS = [
  '/sign-in',
  '/v1/tickets',
  '/healthz',
  '/openapi.json',
  '/nowhere',
  '/oauth/authorize',
  '/assets/x/console.css',
];
it.each(PATHS)(
  'sends Strict-Transport-Security with every response over https, and none over http: %s',
  async (path) => {
    const sent = async ({ base }: { base: string }) =>
      (await fetch(base + path, { redirect: 'manual' })).headers.get('strict-transport-security');

    expect([await sent(secure), await sent(oauth)]).toEqual(['max-age=31536000', null]);
  },
);

it.each([
  ['refuses', 'a foreign origin', { origin: 'https://evil.example' }, 403],
  ['refuses', 'the origin null', { origin: 'null' }, 403],
  ['accepts', 'the origin of the installation', { origin: oauth.base }, 303],
  ['accepts', 'no Origin', {}, 303],
])('%s a sign-in form with a valid token and %s', async (_, _origin, headers: Record<string, string>, status) => {
  const person = new Person(oauth.base);
  const csrf = csrfOf(await person.get('/sign-in'));
  const { email } = await oauth.agent();

  expect(await person.post('/sign-in', { email, password: PASSWORD, csrf }, headers)).toMatchObject({ status });
});
